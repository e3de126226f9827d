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

  /// The bytes of a manifest with these entries.
  func render(_ entries: [ManifestEntry], app: AppRecord) throws(StoreFailure) -> [UInt8] {
    []
  }
}
