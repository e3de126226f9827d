import AssetPacks
import JSONText

/// Looks at a download manifest as devices get it.
package struct ManifestCheckup {
  private let bytes: [UInt8]
  private let previous: [UInt8]?

  /// - Parameter previous: the manifest that devices had before, when its packs and versions are to be compared.
  package init(_ bytes: [UInt8], previous: [UInt8]? = nil) {
    self.bytes = bytes
    self.previous = previous
  }

  /// The manifest, when devices can read all of it, and what was found.
  package func run() -> (manifest: ReceivedManifest?, findings: [Finding]) {
    do throws(AssetPackFailure) {
      let manifest = try ReceivedManifest.parse(bytes)
      var findings = [content(manifest)]
      if let previous { findings += compare(manifest, previous) }
      return (manifest, findings)
    } catch {
      return (nil, faults(error))
    }
  }

  private func content(_ manifest: ReceivedManifest) -> Finding {
    if manifest.entries.isEmpty {
      return .error(
        "manifest.content",
        "The manifest lists no asset pack, and devices delete the packs that a manifest leaves out.",
        fix: "Release at least one pack on this track before devices see it; "
          + "answer with an error rather than with an empty list.")
    }
    let count = manifest.entries.count
    return .ok("manifest.content", "The manifest lists \(count) asset pack\(count == 1 ? "" : "s").")
  }

  private func faults(_ failure: AssetPackFailure) -> [Finding] {
    let document = try? JSONParser.parse(bytes, dialect: .strict)
    guard let document else {
      let reason = failure.manifestFaults.first?.sentence ?? failure.sentence
      return [
        .error(
          "manifest.content", "The manifest is not JSON: \(reason).",
          fix: "Serve the manifest's bytes as they were published; until then devices keep the packs they have.")
      ]
    }
    var findings: [Finding] = []
    for pack in document.root["assetPacks"]?.array ?? [] {
      guard let url = pack["url"]?.string, url.lowercased().hasPrefix("http://") else { continue }
      findings.append(
        .error(
          "manifest.pack-url",
          "The URL of \(pack["id"]?.string ?? "a pack") is \(url), and devices refuse http, on localhost too.",
          fix: "Publish it as https\(url.dropFirst(4))."))
    }
    for fault in failure.manifestFaults {
      if fault.problem.hasPrefix("expected an absolute https URL, found \"http://") { continue }
      findings.append(
        .error(
          "manifest.content", "The manifest breaks a rule at \(fault.sentence).",
          fix: "Correct it where the manifest is made; Packhouse writes only manifests that keep the rules."))
    }
    return findings
  }

  private func compare(_ manifest: ReceivedManifest, _ previous: [UInt8]) -> [Finding] {
    do throws(AssetPackFailure) {
      let app = try BundleID("a")
      let old = try DownloadManifest(app: app, entries: try ReceivedManifest.parse(previous).entries.map(\.pack))
      let new = try DownloadManifest(app: app, entries: manifest.entries.map(\.pack))
      let faults = ManifestChange(from: old, to: new).faults()
      if faults.isEmpty { return [.ok("manifest.change", "No pack of the earlier manifest is missing or fell.")] }
      return faults.map(Self.finding)
    } catch {
      return [
        .error(
          "manifest.change", "The earlier manifest cannot be read: \(error.sentence).",
          fix: "Pass --before a manifest as it was served.")
      ]
    }
  }

  private static func finding(_ fault: ManifestChange.Fault) -> Finding {
    switch fault {
    case .disappears(let id):
      .error(
        "manifest.change", "\(id) was in the earlier manifest and is not in this one, and devices delete it.",
        fix: "Release \(id) again, or leave it so if its removal is meant.")
    case .versionFalls(let id, let from, let to):
      .error(
        "manifest.change", "\(id) fell from version \(from) to \(to), which devices do not follow.",
        fix: "Publish the bytes under a version above \(from).")
    case .changesWithoutVersion(let id, let version):
      .error(
        "manifest.change", "\(id) changed its size under version \(version), and devices do not notice.",
        fix: "Publish the new bytes under a version above \(version).")
    }
  }
}
