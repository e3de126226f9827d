import AssetPacks
import QRCode

/// The page of a development server: the first steps on a device, what is served, and what is asked for. Plain HTML
/// without any other resource.
struct DevelopmentPage {
  let facts: DevelopmentConsole.Facts
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
    <li><a class="button" href="\(DevelopmentConsole.profilePath)">Download the profile</a> on the device, then
    install it: Settings › General › VPN &amp; Device Management › <b>\(escaped(authority))</b> › Install.</li>
    <li>Turn on full trust: Settings › General › About › Certificate Trust Settings ›
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
    \(facts.isLoopbackOnly ? "<p class=\"small\">This address works only on this machine.</p>" : "")
    <p>or in the app's Info.plist, as <code>BAManifestURL</code>:</p>
    <p><code>\(escaped(facts.manifestURL))</code></p></div>
    </div>
    </section>
    <section>
    <h2>3 · Try it</h2>
    <p><a class="button" id="test" href="/manifest">Fetch the manifest</a></p>
    <ul id="result"></ul>
    <p class="small">Open this page on the device and try it there: what a browser can load, the app can load too once
    the authority is trusted and the host is in <code>BADownloadDomainAllowList</code>.</p>
    </section>
    <section class="wide">
    <h2>Packs and policies</h2>
    <table><thead><tr><th>Policy</th><th>When a device downloads</th><th>Packs</th></tr></thead>
    <tbody>\(policies)</tbody></table>
    </section>
    <section class="wide">
    <h2>Requests of devices</h2>
    <div id="hints"></div>
    <table class="log"><thead><tr><th>Time</th><th>Request</th><th>Status</th><th>What</th><th>Who</th></tr></thead>
    <tbody id="log"></tbody></table>
    <p class="small" id="quiet">No requests yet. They appear here as browsers and devices connect.</p>
    <noscript><p>This part needs scripts; <a href="\(DevelopmentConsole.logPath)">the log as JSON</a>.</p></noscript>
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
        + "<code>--listen 0.0.0.0:8443</code> to open it to devices on the local network.</p>"
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

// Style and script of the page. Both stand inside it, so that it needs nothing else.
extension DevelopmentPage {
  static let style = """
    :root{color-scheme:light dark;--line:#8884;--soft:#8882;--accent:#0a5bd3}
    @media(prefers-color-scheme:dark){:root{--accent:#6aa8ff}}
    body{font:16px/1.5 -apple-system,system-ui,sans-serif;margin:0 auto;max-width:68rem;padding:1rem}
    header{display:flex;gap:.75rem;align-items:baseline;flex-wrap:wrap}h1{margin:0}header p{margin:0}
    h2{font-size:1.1rem;margin:0 0 .5rem}
    main{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(19rem,1fr))}
    section{border:1px solid var(--line);border-radius:.75rem;padding:1rem;min-width:0}.wide{grid-column:1/-1}
    .note{background:var(--soft);border-radius:.5rem;padding:.5rem .75rem}.small{opacity:.75;font-size:.9rem}
    .button{display:inline-block;border:1px solid var(--accent);border-radius:.5rem;padding:.25rem .75rem;
    color:var(--accent);text-decoration:none}
    .override{display:flex;gap:1rem;flex-wrap:wrap}.override>div{flex:1 1 12rem;min-width:0}
    .code svg{width:100%;max-width:13rem;display:block}.code{max-width:13rem}
    code{font:.9em ui-monospace,Menlo,monospace;overflow-wrap:anywhere}
    table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.3rem .5rem;
    border-bottom:1px solid var(--line)}.log td{font:.85em/1.4 ui-monospace,Menlo,monospace;overflow-wrap:anywhere}
    .hint{border-left:4px solid #d9822b;padding:.25rem .75rem;margin:.5rem 0}.bad{color:#c62f2f}.good{color:#2a7d3c}
    """

  static let script = """
    (function(){
    function find(name){return document.getElementById(name)}
    function make(tag,text,name){
    var e=document.createElement(tag);e.textContent=text;if(name)e.className=name;return e}
    var log=find('log'),hints=find('hints'),quiet=find('quiet');
    var last=0;
    function cell(row,text,name){row.appendChild(make('td',text,name))}
    function poll(){
    fetch('/dev/log?after='+last,{cache:'no-store'}).then(function(r){return r.json()}).then(function(d){
    if(d.last<last){last=0;log.textContent='';return}
    last=d.last;
    d.events.forEach(function(e){
    var row=document.createElement('tr');
    cell(row,e.time.slice(11,19));cell(row,e.method+' '+e.target);
    cell(row,e.status,e.status<400?'good':'bad');cell(row,e.kind+(e.subject?' '+e.subject:''));
    cell(row,e.host+' '+e.agent.slice(0,60));
    log.insertBefore(row,log.firstChild);
    while(log.childNodes.length>200)log.removeChild(log.lastChild)});
    quiet.hidden=log.childNodes.length>0;
    hints.textContent='';
    d.hints.forEach(function(h){hints.appendChild(make('p',h,'hint'))});
    }).catch(function(){}).then(function(){setTimeout(poll,2000)})}
    poll();
    var result=find('result');
    function say(text,good){result.appendChild(make('li',text,good?'good':'bad'))}
    find('test').addEventListener('click',function(event){
    event.preventDefault();result.textContent='';
    fetch('/manifest',{cache:'no-store'}).then(function(r){
    if(!r.ok){say('The manifest answers with '+r.status+'.',false);return}
    return r.json().then(function(m){
    var n=m.assetPacks.length;say('The manifest has '+n+(n===1?' pack.':' packs.'),n>0);
    m.assetPacks.slice(0,50).forEach(function(p){
    fetch(new URL(p.url).pathname,{method:'HEAD',cache:'no-store'}).then(function(a){
    var size=a.headers.get('Content-Length');
    var good=a.status===200&&size===String(p.downloadSize);
    say(p.id+' version '+p.version+': status '+a.status+', '+size+' of '+p.downloadSize+' bytes.',good)
    }).catch(function(e){say(p.id+' could not be asked for: '+e,false)})})})
    }).catch(function(e){say('The manifest could not be fetched: '+e,false)})})
    })();
    """
}
