import AssetPacks
import JSONText
import SystemIO
import Values

/// Compares a download manifest with the archives that it should describe.
package struct StaticManifestCheck: Sendable {
  /// Every difference as a sentence; none when the manifest is right.
  package let differences: [String]

  /// Looks at the packs for `platform` only, or at all.
  package init(_ manifest: ReceivedManifest, _ packs: [StaticPack], platform: Platform? = nil) {
    var differences: [String] = []
    var packsByID: [AssetPackID: StaticPack] = [:]
    for pack in packs { packsByID[pack.id] = pack }
    var idsByURL: [String: String] = [:]
    for entry in manifest.entries {
      let id = quoted(entry.pack.id.text)
      differences += Self.link(entry, id)
      if let other = idsByURL.updateValue(id, forKey: entry.url) {
        differences.append("The url of \(id) is that of \(other) too, \(entry.url); each pack has its own.")
      }
      guard let pack = packsByID.removeValue(forKey: entry.pack.id) else {
        differences.append("The manifest lists \(id), but no archive of that pack was given.")
        continue
      }
      if let platform, !pack.manifest.effectivePlatforms.contains(platform) {
        differences.append("The manifest lists \(id), but \(pack.path) is not for \(platform.rawValue).")
      }
      differences += Self.differences(entry.pack, pack, id)
    }
    for pack in packsByID.values.sorted(by: { $0.id < $1.id }) {
      if let platform, !pack.manifest.effectivePlatforms.contains(platform) { continue }
      differences.append("\(pack.path) is the pack \(quoted(pack.id.text)), which the manifest does not list.")
    }
    self.differences = differences
  }

  /// Reads a download manifest. Links that are not https, ids that come twice and all other faults of its form are
  /// thrown, each with its line.
  package static func read(_ path: String) throws(PackingFailure) -> ReceivedManifest {
    let bytes = try onDisk(try readFile(path, limit: 16 << 20))
    do throws(AssetPackFailure) { return try ReceivedManifest.parse(bytes) } catch {
      throw .manifest(file: path, error)
    }
  }

  /// Whether the link says the same as its entry, when it has the form `…/packs/<version>/<id>`.
  private static func link(_ entry: ReceivedManifest.Entry, _ id: String) -> [String] {
    let parts = entry.url.pathParts.suffix(3)
    guard let version = parts.dropFirst().first, let name = parts.last, parts.first == "packs", Int(version) != nil
    else {
      return []
    }
    let expected = "\(entry.pack.version)/\(entry.pack.id)"
    guard "\(version)/\(name)" != expected else { return [] }
    return ["The url of \(id) ends with packs/\(version)/\(name), but packs/\(expected) is expected."]
  }

  private static func differences(_ entry: DownloadManifest.Entry, _ pack: StaticPack, _ id: String) -> [String] {
    var differences: [String] = []
    func compare(_ key: String, _ listed: String, _ found: String) {
      guard listed != found else { return }
      differences.append("The \(key) of \(id) is \(listed) in the manifest, but \(found) in \(pack.path).")
    }
    compare("downloadSize", "\(entry.downloadSize)", "\(pack.length)")
    if let recorded = pack.recordedHash(in: entry) {
      compare("userInfo.sha256", recorded, pack.sha256)
    } else if pack.manifest.userInfo?[StaticPack.hashKey] == nil, let other = entry.userInfo?[StaticPack.hashKey] {
      compare("userInfo.sha256", other.text(), pack.sha256)
    }
    compare("downloadPolicy", entry.downloadPolicy.json.text(), pack.manifest.downloadPolicy.json.text())
    compare("language", entry.language?.text ?? "none", pack.manifest.language?.text ?? "none")
    var userInfo = entry.userInfo ?? JSONObject()
    if pack.manifest.userInfo?[StaticPack.hashKey] == nil { userInfo.remove(StaticPack.hashKey) }
    // The order of keys does not matter to a device.
    let format = JSONFormat(sortsKeys: true)
    compare(
      "userInfo", JSONValue.object(userInfo).text(format),
      JSONValue.object(pack.manifest.userInfo ?? JSONObject()).text(format))
    return differences
  }
}
