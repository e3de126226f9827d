import Digests
import HTTPClient

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
  /// Folders that nobody uses any more, on their way out.
  var trash: String { root + "/trash" }

  var folders: [String] { [root, packs, downloads, staging, trash] }

  func pack(_ folder: String) -> String { "\(packs)/\(folder)" }
  func files(_ folder: String) -> String { "\(packs)/\(folder)/\(Self.filesName)" }
  /// What is held while somebody uses the folder; its time is that of the last use.
  func useLock(_ folder: String) -> String { "\(packs)/\(folder)/\(Self.useName)" }

  static let filesName = "files"
  static let useName = "use"
  static let recordName = "record.json"

  /// The download of a pack, without `.partial` and the like.
  func download(_ id: String) -> String { "\(downloads)/\(Self.key(id))" }
  func downloadLock(_ id: String) -> String { "\(downloads)/\(Self.key(id)).lock" }

  /// A file name for an id, whatever stands in it: different ids, different names.
  static func key(_ id: String) -> String {
    let encoded = HTTPSURL.encode(id)
    guard encoded.utf8.count <= 120, !encoded.hasPrefix(".") else { return "~" + Digest.sha256Text(Array(id.utf8)) }
    return encoded
  }
}
