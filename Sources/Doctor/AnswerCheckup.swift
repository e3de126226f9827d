import AssetPacks
import HTTPClient
import HTTPCore

/// Looks at the heads of answers: what devices need besides the bytes.
package enum AnswerCheckup {
  /// Seconds that two clocks may be apart.
  private static let clockTolerance: Int64 = 300

  /// The answer to the manifest's GET, redirects followed.
  package static func manifest(_ response: ClientResponse, asked url: HTTPSURL, now: Int64) -> [Finding] {
    var findings: [Finding] = []
    if response.url != url {
      findings.append(
        .warning(
          "server.manifest-redirect", "\(url) is redirected to \(response.url).",
          fix: "Set BAManifestURL to \(response.url), or answer at \(url) itself; "
            + "else every host on the way has to be on the allow-list."))
    }
    guard response.status == 200 else {
      findings.append(refused(response))
      return findings
    }
    findings.append(.ok("server.manifest", "\(response.url) answers with a manifest."))
    let type = response["Content-Type"]?.prefix { $0 != ";" } ?? "no type"
    if type.lowercased() != "application/json" {
      findings.append(
        .warning(
          "server.content-type", "The manifest is served as \(type).", fix: "Serve it as application/json."))
    }
    if response["ETag"] == nil && response["Last-Modified"] == nil {
      findings.append(
        .warning(
          "server.manifest-tag", "The manifest has no ETag, so devices download it each time.",
          fix: "Send an ETag with it."))
    }
    let caching = response["Cache-Control"]?.lowercased() ?? ""
    if !["no-cache", "no-store", "max-age=0"].contains(where: { caching.contains($0) }) {
      findings.append(
        .warning(
          "server.manifest-cache",
          "The manifest's Cache-Control is \(caching.isEmpty ? "missing" : caching), so caches may keep an old "
            + "one.",
          fix: "Send Cache-Control: no-cache with the manifest."))
    }
    return findings + clock(response, now)
  }

  private static func refused(_ response: ClientResponse) -> Finding {
    let fix =
      switch response.status {
      case 404:
        "Check bundle ID and track in the URL, and that something is released there for this platform."
      case 421: "Add \(response.url.host) to the app's domainAllowList on the server."
      case 500...599: "See the server's log; until it answers, devices keep the packs they have."
      default: "Make it answer GET with 200 for everyone, without a login."
      }
    return .error("server.manifest", "\(response.url) answers with the status \(response.status).", fix: fix)
  }

  private static func clock(_ response: ClientResponse, _ now: Int64) -> [Finding] {
    guard let text = response["Date"] else { return [] }
    let there = Array(text.utf8).withUnsafeBytes { HTTPDate.parse($0) }
    guard let there else { return [] }
    let difference = there - now
    if abs(difference) > clockTolerance {
      return [
        .warning(
          "server.clock",
          "The server's clock is \(abs(difference)) seconds \(difference > 0 ? "ahead of" : "behind") this machine's.",
          fix: "Synchronize both clocks; whether a certificate is valid depends on them.")
      ]
    }
    return [.ok("server.clock", "The server's clock agrees with this machine's.")]
  }

  /// The answer to a pack's HEAD, redirects followed.
  package static func pack(_ response: ClientResponse, asked url: HTTPSURL, _ pack: DownloadManifest.Entry) -> [Finding]
  {
    var findings: [Finding] = []
    if response.url != url {
      findings.append(
        .warning(
          "pack.redirect", "\(pack.id) is redirected to \(response.url).",
          fix: "Serve it with 200 at its own URL, or put \(response.url.host) on the app's allow-list too."))
    }
    guard response.status == 200 else {
      findings.append(
        .error(
          "pack.status", "\(response.url) answers with the status \(response.status).",
          fix: response.status == 421
            ? "Add \(response.url.host) to the app's domainAllowList on the server."
            : "Make every URL of the manifest answer with 200 for as long as devices may have it."))
      return findings
    }
    if let coding = response["Content-Encoding"], coding.lowercased() != "identity" {
      findings.append(
        .error(
          "pack.encoding",
          "\(pack.id) is served with Content-Encoding: \(coding), so its length is not that of the archive.",
          fix: "Switch compression off for packs."))
    }
    if let text = response["Content-Length"] {
      if Int(text) != pack.downloadSize {
        findings.append(
          .error(
            "pack.length",
            "\(pack.id) has Content-Length \(text), but its downloadSize in the manifest is \(pack.downloadSize).",
            fix: "Serve the bytes that the manifest was made from, or publish the new ones under a higher version."))
      }
    } else {
      findings.append(
        .error(
          "pack.length", "\(pack.id) is served without Content-Length.",
          fix: "Serve it as a file, not chunked, with Content-Length: \(pack.downloadSize)."))
    }
    let tag = response["ETag"] ?? ""
    if (tag.isEmpty || tag.hasPrefix("W/")) && response["Last-Modified"] == nil {
      findings.append(
        .error(
          "pack.tag", "\(pack.id) has neither a strong ETag nor Last-Modified, so a download cannot be resumed.",
          fix: "Send a strong ETag with packs."))
    }
    return findings
  }

  /// The answer to a pack's GET of its first byte, if it still were another file's.
  package static func staleRange(_ response: ClientResponse, _ pack: DownloadManifest.Entry) -> [Finding] {
    guard response.status == 206 else { return [] }
    return [
      .error(
        "pack.if-range",
        "\(pack.id) answers an If-Range of another tag with a part, so a resumed download mixes two files.",
        fix: "Make the server answer with 200 and the whole file when If-Range does not match.")
    ]
  }

  /// The answer to a pack's GET of its first byte.
  package static func range(_ response: ClientResponse, _ pack: DownloadManifest.Entry) -> [Finding] {
    guard response.status == 206 else {
      return [
        .error(
          "pack.range",
          "\(pack.id) answers a range request with \(response.status), so an interrupted download starts from the "
            + "beginning.",
          fix: "Make the server answer Range with 206 for packs.")
      ]
    }
    let expected = "bytes 0-0/\(pack.downloadSize)"
    guard response["Content-Range"] == expected else {
      return [
        .error(
          "pack.range",
          "\(pack.id) answers a range request with Content-Range: \(response["Content-Range"] ?? "(none)"), "
            + "expected \(expected).", fix: "Make the server send the ranges that are requested.")
      ]
    }
    return []
  }
}
