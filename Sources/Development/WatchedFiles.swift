import AssetPacks
import Packing
import SystemIO

/// What a watch looks at, as of one moment.
struct WatchedFiles: Sendable {
  /// The packaging manifests, the archives, and the files that the manifests select.
  var files: Set<String> = []
  /// The folders of those files, up to where the selection starts.
  var folders: Set<String> = []

  /// Adds a file and its folders up to `root`.
  mutating func add(_ path: String, below root: String) {
    files.insert(Self.clean(path))
    let root = Self.clean(root)
    var folder = Folder.parent(of: Self.clean(path))
    while folders.insert(folder).inserted, folder != root, folder.hasPrefix(root == "." ? "" : "\(root)/"),
      folder != ".", folder != "/"
    {
      folder = Folder.parent(of: folder)
    }
  }

  /// Without `./` in front, as paths in the working directory are named by a watch.
  private static func clean(_ path: String) -> String {
    var rest = Substring(path)
    while rest.hasPrefix("./"), rest.utf8.count > 2 { rest = rest.dropFirst(2) }
    return String(rest)
  }
}
