import AssetPacks
import QRCode

/// The page of a development server: the first steps on a device, what is served, and what is asked for. Plain HTML
/// without any other resource.
struct DevelopmentPage {
  let facts: DevelopmentDesk.Facts
  /// The authority's name, as the device lists it.
  let authority: String
  let packs: [ReceivedManifest.Entry]

  var html: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Packhouse: \(escaped(facts.bundleID))</title>
    <style>\(Self.style)</style>
    </head>
    <body>
    <header><h1>Packhouse</h1><p>serves <b>\(escaped(facts.bundleID))</b> for development</p></header>
    \(reach)
    <main>
    <section>
    <h2>1 · Trust this server</h2>
    <ol>
    <li><a class="button" href="\(DevelopmentDesk.profilePath)">Download the profile</a> on the device, then install it:
    Settings › General › VPN &amp; Device Management › <b>\(escaped(authority))</b> › Install.</li>
    <li>Switch full trust on: Settings › General › About › Certificate Trust Settings ›
    <b>\(escaped(authority))</b>.</li>
    </ol>
    <p class="small">Both steps are needed: an installed profile alone is not trusted for TLS. Remove the profile when
    you are done.</p>
    </section>
    <section>
    <h2>2 · Point the device here</h2>
    <div class="override">
    <div class="code" aria-label="QR code of the override URL">\(QRCode(facts.baseURL)?.svg ?? "")</div>
    <div><p>Settings › Developer › Background Assets › development override:</p>
    <p><code id="override">\(escaped(facts.baseURL))</code></p>
    \(facts.isLoopbackOnly ? "<p class=\"small\">This address is good on this machine alone.</p>" : "")
    <p>or in the app's Info.plist, as <code>BAManifestURL</code>:</p>
    <p><code>\(escaped(facts.manifestURL))</code></p></div>
    </div>
    </section>
    <section>
    <h2>3 · Try it</h2>
    <p><a class="button" id="test" href="/manifest">Fetch the manifest</a></p>
    <ul id="result"></ul>
    <p class="small">Open this page on the device and try it there: what a browser can load, the app can load too once
    the authority is trusted and the host stands in <code>BADownloadDomainAllowList</code>.</p>
    </section>
    <section class="wide">
    <h2>Packs and policies</h2>
    <table><thead><tr><th>Policy</th><th>When a device downloads</th><th>Packs</th></tr></thead>
    <tbody>\(policies)</tbody></table>
    </section>
    <section class="wide">
    <h2>What devices ask for</h2>
    <div id="hints"></div>
    <table class="log"><thead><tr><th>Time</th><th>Request</th><th>Status</th><th>What</th><th>Who</th></tr></thead>
    <tbody id="log"></tbody></table>
    <p class="small" id="quiet">Nothing yet. Browsers and devices that connect appear here by themselves.</p>
    <noscript><p>This part needs scripts; <a href="\(DevelopmentDesk.logPath)">the log as JSON</a>.</p></noscript>
    </section>
    </main>
    <script>\(Self.script)</script>
    </body>
    </html>

    """
  }

  /// Who can connect.
  private var reach: String {
    facts.isLoopbackOnly
      ? "<p class=\"note\">Only this machine can connect, simulators included. Start with "
        + "<code>--listen 0.0.0.0:8443</code> to let devices on the local network in.</p>"
      : "<p class=\"note\">Devices on the local network can connect under \(hostList).</p>"
  }

  private var hostList: String {
    facts.hosts.filter { !["localhost", "127.0.0.1", "::1"].contains($0) }
      .map { "<code>\(escaped($0))</code>" }.joined(separator: ", ")
  }

  /// The four policies, with the packs that have each.
  private var policies: String {
    let rows: [(name: String, when: String, matches: (PackDownloadPolicy) -> Bool)] = [
      ("Essential", "Before the app can be opened.", { if case .essential = $0 { true } else { false } }),
      (
        "Prefetch, first installation", "In the background, from the installation on.",
        { Self.isPrefetch($0, [.firstInstallation, .both]) }
      ),
      (
        "Prefetch, subsequent update", "In the background, when the app is updated.",
        { Self.isPrefetch($0, [.subsequentUpdate, .both]) }
      ),
      ("On demand", "When the app asks for it.", { $0 == .onDemand }),
    ]
    return rows.map { row in
      let matching = packs.filter { row.matches($0.pack.downloadPolicy) }
      let list = matching.prefix(50).map { entry in
        "<b>\(escaped(entry.pack.id.text))</b> version \(entry.pack.version), \(Self.size(entry.pack.downloadSize))"
      }
      let text = list.isEmpty ? "<span class=\"small\">none</span>" : list.joined(separator: "<br>")
      return "<tr><td>\(row.name)</td><td>\(row.when)</td><td>\(text)</td></tr>"
    }.joined(separator: "\n")
  }

  private static func isPrefetch(_ policy: PackDownloadPolicy, _ events: [InstallationEventTypes]) -> Bool {
    if case .prefetch(let types) = policy { events.contains(types) } else { false }
  }

  private static func size(_ bytes: Int) -> String {
    switch bytes {
    case ..<1000: "\(bytes) bytes"
    case ..<1_000_000: "\(bytes / 1000).\(bytes / 100 % 10) kB"
    case ..<1_000_000_000: "\(bytes / 1_000_000).\(bytes / 100_000 % 10) MB"
    default: "\(bytes / 1_000_000_000).\(bytes / 100_000_000 % 10) GB"
    }
  }

  private func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
