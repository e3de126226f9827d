/// A parsed text that still knows where each of its values stood.
package struct JSONDocument: Sendable {
  /// One value in reading order. The children of a container follow it; `next` is the first node after the last of
  /// them.
  struct Node: Sendable {
    let keyOffset: Int
    let valueOffset: Int
    var next: Int
  }

  /// The document's value.
  package let root: JSONValue
  private let bytes: [UInt8]
  private let nodes: [Node]

  init(root: JSONValue, bytes: [UInt8], nodes: [Node]) {
    self.root = root
    self.bytes = bytes
    self.nodes = nodes
  }

  /// A cursor at the root.
  package var cursor: JSONCursor { JSONCursor(root) }

  /// Line and column of the value at `path`; nil when nothing stands there.
  package func position(of path: JSONPath) -> TextPosition? {
    node(at: path).map { TextPosition(of: $0.valueOffset, in: bytes) }
  }

  /// Line and column of the key of the member at `path` (of the value for elements and the root).
  package func positionOfKey(of path: JSONPath) -> TextPosition? {
    node(at: path).map { TextPosition(of: $0.keyOffset, in: bytes) }
  }

  /// The position of the key at `path`, or of the nearest value above it that exists: the place to name when
  /// something is missing.
  package func nearestPosition(to path: JSONPath) -> TextPosition {
    var path = path
    while !path.components.isEmpty {
      if let position = positionOfKey(of: path) { return position }
      path = path.parent
    }
    return position(of: path) ?? TextPosition(line: 1, column: 1)
  }

  private func node(at path: JSONPath) -> Node? {
    var value = root
    var index = 0
    for component in path.components {
      let place: Int
      switch (component, value) {
      case (.key(let key), .object(let object)):
        guard let found = object.place(of: key) else { return nil }
        place = found
        value = object.members[found].value
      case (.index(let element), .array(let elements)):
        guard elements.indices.contains(element) else { return nil }
        place = element
        value = elements[element]
      default: return nil
      }
      index += 1
      for _ in 0..<place {
        guard nodes.indices.contains(index) else { return nil }
        index = nodes[index].next
      }
    }
    return nodes.indices.contains(index) ? nodes[index] : nil
  }
}
