import AssetPacks
import JSONText

extension PackStore {
  /// The manifest's address for devices.
  package func manifestURL(bundleID: String, track: Track) -> String {
    "\(baseURL)/apps/\(bundleID)/\(track.rawValue)/manifest.json"
  }

  /// The address of a lane's manifest for devices.
  package func manifestURL(bundleID: String, track: Track, lane: String) -> String {
    "\(baseURL)/apps/\(bundleID)/\(track.rawValue)/lanes/\(lane)/manifest.json"
  }

  /// The address of a version's bytes.
  package func packURL(bundleID: String, identifier: String, number: Int) -> String {
    "\(baseURL)/apps/\(bundleID)/packs/\(number)/\(identifier)"
  }

  func packURL(bundleID: String, entry: ManifestEntry) -> String {
    packURL(bundleID: bundleID, identifier: entry.identifier, number: entry.number)
  }
}

extension ManifestEntry {
  /// The entry in the domain's types; `valueInvalid` for what the catalog should never have taken.
  func domainEntry() throws(StoreFailure) -> DownloadManifest.Entry {
    guard let policy = PackDownloadPolicy(json: try parsed(policy, column: "versions.policy")) else {
      throw .valueUnknown(column: "versions.policy", value: policy)
    }
    let userInfo = try userInfo.map { (text) throws(StoreFailure) in
      try parsed(text, column: "versions.user_info").object
    }
    return try checked("asset pack \(identifier)") { () throws(AssetPackFailure) in
      DownloadManifest.Entry(
        id: try AssetPackID(identifier), version: try VersionNumber(number), downloadSize: Int(size),
        downloadPolicy: policy,
        language: try language.map { (text) throws(AssetPackFailure) in try LanguageTag(text) },
        userInfo: userInfo ?? nil)
    }
  }
}

extension PackDownloadPolicy {
  /// The policy whose `json` this is; nil for anything else.
  init?(json: JSONValue) {
    let events = InstallationEventTypes.allCases
    let all = [.onDemand] + events.map { .essential($0) } + events.map { PackDownloadPolicy.prefetch($0) }
    guard let found = all.first(where: { $0.json == json }) else { return nil }
    self = found
  }
}

/// The value of a column that holds JSON text.
func parsed(_ text: String, column: String) throws(StoreFailure) -> JSONValue {
  do throws(JSONFailure) {
    return try JSONParser.parse(Array(text.utf8)).root
  } catch {
    throw .valueRefused(field: column, value: String(text.prefix(80)), expected: "JSON: \(error.sentence)")
  }
}
