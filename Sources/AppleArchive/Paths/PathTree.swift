/// All paths of an archive as the tree that a volume would hold which ignores case and normalisation, as Apple's do by
/// default. It finds duplicates, collisions, and files or links used as folders. Each component is stored once.
package struct PathTree {
  private struct ChildKey: Hashable {
    let parent: UInt32
    /// Upper-cased, then lower-cased; `String` compares by canonical equivalence, which stands for normalisation.
    let name: String
  }

  private enum Kind {
    case impliedDirectory, directory, file, link
  }

  private struct Node {
    var kind: Kind
    /// The component as first written; nil for ASCII in its folded form, which nothing else is equal to.
    let spelling: String?
  }

  private var children: [ChildKey: UInt32] = [:]
  private var nodes = [Node(kind: .impliedDirectory, spelling: nil)]
  private let limit: Int
  /// The folder of the path before, because archives list a folder's files in a row.
  private var lastParentText = ""
  private var lastParent: UInt32 = 0

  /// At most `limit` distinct paths, folders that are only implied among them.
  package init(limit: Int) {
    self.limit = limit
  }

  /// Adds a path that passed the rules for paths.
  package mutating func insert(_ path: ArchivePath, _ type: ArchiveEntryType) throws(ArchiveFailure) {
    let kind: Kind =
      switch type {
      case .file: .file
      case .directory: .directory
      case .link: .link
      }
    if path.isRoot {
      guard nodes[0].kind == .impliedDirectory else { throw .path(path.escaped, .duplicate) }
      nodes[0].kind = kind
      return
    }
    let text = path.text.utf8
    let slash = text.lastIndex(of: UInt8(ascii: "/"))
    let name = path.text[(slash.map { text.index(after: $0) } ?? text.startIndex)...]
    let parent = try folder(String(path.text[..<(slash ?? text.startIndex)]), of: path)
    let (node, isNew) = try child(String(name), of: parent, kind, of: path)
    guard !isNew else { return }
    switch (nodes[Int(node)].kind, kind) {
    case (.impliedDirectory, .directory): nodes[Int(node)].kind = .directory
    case (.impliedDirectory, _): throw .path(path.escaped, .isParentAlready)
    default: throw .path(path.escaped, .duplicate)
    }
  }

  /// The node of the folder `text`, made when no entry has named it yet.
  private mutating func folder(_ text: String, of path: ArchivePath) throws(ArchiveFailure) -> UInt32 {
    if text.utf8.elementsEqual(lastParentText.utf8) { return lastParent }
    var node: UInt32 = 0
    var end = text.startIndex
    for component in text.utf8.split(separator: UInt8(ascii: "/")) {
      node = try child(String(Substring(component)), of: node, .impliedDirectory, of: path).node
      end = component.endIndex
      switch nodes[Int(node)].kind {
      case .impliedDirectory, .directory: break
      case .file: throw .path(path.escaped, .parentIsFile(ArchivePath(checked: String(text[..<end])).escaped))
      case .link: throw .path(path.escaped, .parentIsLink(ArchivePath(checked: String(text[..<end])).escaped))
      }
    }
    lastParentText = text
    lastParent = node
    return node
  }

  private mutating func child(
    _ name: String, of parent: UInt32, _ kind: Kind, of path: ArchivePath
  ) throws(ArchiveFailure) -> (node: UInt32, isNew: Bool) {
    let folded = Self.folded(name)
    let key = ChildKey(parent: parent, name: folded)
    if let node = children[key] {
      let spelling = nodes[Int(node)].spelling ?? folded
      guard spelling.utf8.elementsEqual(name.utf8) else {
        throw .path(path.escaped, .collision(with: ArchivePath(checked: spelling).escaped))
      }
      return (node, false)
    }
    guard nodes.count <= limit, let node = UInt32(exactly: nodes.count) else { throw .entriesLimit(limit) }
    children[key] = node
    let isPlain = folded.utf8.allSatisfy { $0 < 0x80 } && name.utf8.elementsEqual(folded.utf8)
    nodes.append(Node(kind: kind, spelling: isPlain ? nil : name))
    return (node, true)
  }

  /// Upper-casing first makes ß equal to SS and the sigmas equal to each other.
  private static func folded(_ name: String) -> String {
    var needsFolding = false
    for byte in name.utf8 where byte >= 0x80 || (0x41...0x5a).contains(byte) {
      needsFolding = true
      break
    }
    return needsFolding ? name.uppercased().lowercased() : name
  }
}
