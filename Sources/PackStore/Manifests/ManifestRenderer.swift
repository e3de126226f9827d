import AssetPacks
import JSONText
import Synchronization

/// Renders the manifests of one app in one transaction; what several of them list is read from the catalog once.
struct ManifestRenderer {
  let app: String
  let baseURL: PublicBaseURL
  let count: RenderCount
  private var known: [String: DownloadManifest.Entry] = [:]

  init(app: String, baseURL: PublicBaseURL, count: RenderCount) {
    self.app = app
    self.baseURL = baseURL
    self.count = count
  }

  /// The manifest in the domain's types.
  mutating func manifest(_ entries: [ManifestEntry]) throws(StoreFailure) -> DownloadManifest {
    var packs: [DownloadManifest.Entry] = []
    packs.reserveCapacity(entries.count)
    for entry in entries {
      if let found = known[entry.versionID] {
        packs.append(found)
      } else {
        let made = try entry.domainEntry()
        known[entry.versionID] = made
        packs.append(made)
      }
    }
    let name = app
    return try checked("manifest of \(name)", try DownloadManifest(app: BundleID(name), entries: packs))
  }

  mutating func render(_ entries: [ManifestEntry]) throws(StoreFailure) -> [UInt8] {
    render(try manifest(entries))
  }

  func render(_ manifest: DownloadManifest) -> [UInt8] {
    count.add()
    return manifest.render(baseURL: baseURL)
  }
}

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
  /// The entry in the domain's types; `valueInvalid` for what the catalog should never have accepted.
  func domainEntry() throws(StoreFailure) -> DownloadManifest.Entry {
    guard let policy = PackDownloadPolicy(json: try storedJSON(policy, column: "versions.policy")) else {
      throw .valueUnknown(column: "versions.policy", value: policy)
    }
    let userInfo = try userInfo.map { (text) throws(StoreFailure) in
      try storedJSON(text, column: "versions.user_info").object
    }
    return try checked(
      "asset pack \(identifier)",
      DownloadManifest.Entry(
        id: try AssetPackID(identifier), version: try VersionNumber(number), downloadSize: Int(size),
        downloadPolicy: policy,
        language: try language.map { (text) throws(AssetPackFailure) in try LanguageTag(text) },
        userInfo: userInfo ?? nil))
  }
}

/// The value of a column that holds JSON text.
func storedJSON(_ text: String, column: String) throws(StoreFailure) -> JSONValue {
  do throws(JSONFailure) {
    return try JSONParser.parse(Array(text.utf8)).root
  } catch {
    throw .valueRefused(field: column, value: String(text.prefix(80)), expected: "JSON: \(error.sentence)")
  }
}

/// How many manifests a store has rendered since it was opened.
package final class RenderCount: Sendable {
  private let count = Atomic<Int>(0)

  package init() {}

  package var value: Int { count.load(ordering: .relaxed) }

  func add() { count.wrappingAdd(1, ordering: .relaxed) }
}

extension [ManifestEntry] {
  /// The number of each pack.
  var numbers: [String: Int] { Dictionary(map { ($0.identifier, $0.number) }, uniquingKeysWith: { $1 }) }
}
