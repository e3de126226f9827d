/// A node of Valve's KeyValues text format: a key with a string, or a key with more nodes in braces. Keys may come
/// several times, and their letter case does not count.
package struct KeyValues: Equatable, Sendable {
  package enum Value: Equatable, Sendable {
    case text(String)
    case nodes([KeyValues])
  }

  package let key: String
  package let value: Value
  /// The line of the key, from 1.
  package let line: Int

  package init(key: String, value: Value, line: Int) {
    self.key = key
    self.value = value
    self.line = line
  }

  /// Whether the key is `name` in any letter case.
  package func isNamed(_ name: String) -> Bool { key.lowercased() == name.lowercased() }
}
