import Digests
import HTTPClient
import JSONText

/// What is in a cache: the one place that says which folder holds which pack.
struct CacheIndex: Sendable, Equatable {
  /// By id.
  private(set) var packs: [String: LocalPack] = [:]
  /// What an app asked for by tag, from 0 to 1.
  var tagPriorities: [String: Double] = [:]

  init() {}

  /// Nil when the bytes are not an index.
  init?(_ bytes: [UInt8]) {
    guard let root = (try? JSONParser.parse(bytes))?.root, let list = root["packs"]?.array else { return nil }
    for value in list {
      guard let pack = LocalPack(value) else { return nil }
      packs[pack.id] = pack
    }
    for member in root["tagPriorities"]?.object?.members ?? [] { tagPriorities[member.key] = member.value.fraction }
  }

  /// By id, in the order of its bytes, so that the same path in two packs has the same winner every time.
  var sorted: [LocalPack] { packs.values.sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) } }

  var bytes: [UInt8] {
    let priorities = tagPriorities.sorted { $0.key < $1.key }.map { tag, priority -> (String, JSONValue) in
      (tag, JSONNumber(priority).map { .number($0) } ?? 0)
    }
    let root: JSONValue = [
      "format": 1, "packs": .array(sorted.map(\.json)), "tagPriorities": .object(JSONObject(priorities)),
    ]
    return root.serialize()
  }

  mutating func put(_ pack: LocalPack) { packs[pack.id] = pack }

  @discardableResult
  mutating func remove(_ id: String) -> LocalPack? { packs.removeValue(forKey: id) }

  /// The pack's place in the order of purging: the highest priority that was set for one of its tags (or for its id,
  /// which is a tag too), else what its manifest says.
  func preservationPriority(of pack: LocalPack) -> Double {
    (pack.tags + [pack.id]).compactMap { tagPriorities[$0] }.max() ?? pack.preservationPriority
  }
}

/// The names of the files in a cache folder. docs/client.md describes them.
struct CacheLayout: Sendable {
  let root: String

  var lock: String { root + "/lock" }
  var index: String { root + "/index.json" }
  var manifest: String { root + "/manifest.json" }
  var manifestNote: String { root + "/manifest.note.json" }
  var packs: String { root + "/packs" }
  var downloads: String { root + "/downloads" }
  /// Packs that are being unpacked.
  var staging: String { root + "/staging" }
  /// Folders that are no longer used and are being deleted.
  var trash: String { root + "/trash" }

  var folders: [String] { [root, packs, downloads, staging, trash] }

  func pack(_ folder: String) -> String { "\(packs)/\(folder)" }
  func files(_ folder: String) -> String { "\(packs)/\(folder)/\(Self.filesName)" }
  /// What is held while a process uses the folder; its time is that of the last use.
  func useLock(_ folder: String) -> String { "\(packs)/\(folder)/\(Self.useName)" }

  static let filesName = "files"
  static let useName = "use"
  static let recordName = "record.json"

  /// The download of a pack, without `.partial` and the like.
  func download(_ id: String) -> String { "\(downloads)/\(Self.key(id))" }
  func downloadLock(_ id: String) -> String { "\(downloads)/\(Self.key(id)).lock" }

  /// A file name for any id: different ids have different names.
  static func key(_ id: String) -> String {
    let encoded = HTTPSURL.encode(id)
    guard encoded.utf8.count <= 120, !encoded.hasPrefix(".") else { return "~" + Digest.sha256Text(Array(id.utf8)) }
    return encoded
  }
}
