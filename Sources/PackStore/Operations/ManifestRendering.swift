import AssetPacks
import JSONText

extension PackStore {
  /// The manifest's address for devices.
  package func manifestURL(bundleID: String, track: Track) -> String {
    "\(options.publicBaseURL)/apps/\(bundleID)/\(track.rawValue)/manifest.json"
  }

  /// The address of a version's bytes.
  package func packURL(bundleID: String, identifier: String, number: Int) -> String {
    "\(options.publicBaseURL)/apps/\(bundleID)/packs/\(number)/\(identifier)"
  }

  func packURL(bundleID: String, entry: ManifestEntry) -> String {
    packURL(bundleID: bundleID, identifier: entry.identifier, number: entry.number)
  }

  /// The bytes of a manifest with these entries, in their order.
  func render(_ entries: [ManifestEntry], app: AppRecord) throws(StoreFailure) -> [UInt8] {
    var packs: [JSONValue] = []
    for entry in entries {
      var pack = JSONObject()
      pack.set("downloadPolicy", try parsed(entry.policy, column: "versions.policy"))
      pack.set("downloadSize", .integer(entry.size))
      pack.set("host", ["thirdParty": [:]])
      pack.set("id", .string(entry.identifier))
      if let language = entry.language { pack.set("language", .string(language)) }
      pack.set("url", .string(packURL(bundleID: app.bundleID, entry: entry)))
      if let userInfo = entry.userInfo { pack.set("userInfo", try parsed(userInfo, column: "versions.user_info")) }
      pack.set("version", .integer(entry.number))
      packs.append(.object(pack))
    }
    return JSONValue.object(JSONObject([("assetPacks", .array(packs))])).serialize()
  }
}

/// The value of a column that holds JSON text.
func parsed(_ text: String, column: String) throws(StoreFailure) -> JSONValue {
  do throws(JSONFailure) {
    return try JSONParser.parse(Array(text.utf8), dialect: .strict).root
  } catch {
    throw .valueRefused(field: column, value: String(text.prefix(80)), expected: "JSON: \(error.sentence)")
  }
}
