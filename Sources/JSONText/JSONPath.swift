/// The way from a document's root to one of its values.
package struct JSONPath: Sendable, Hashable {
  /// One step: into an object's member or an array's element (from 0).
  package enum Component: Sendable, Hashable {
    case key(String)
    case index(Int)
  }

  package var components: [Component]

  package init(_ components: [Component] = []) { self.components = components }

  /// The root itself.
  package static let root = JSONPath()

  /// The path of member `key` below this one.
  package func appending(_ key: String) -> JSONPath { JSONPath(components + [.key(key)]) }
  /// The path of element `index` below this one.
  package func appending(_ index: Int) -> JSONPath { JSONPath(components + [.index(index)]) }

  /// The path without its last step; the root's parent is the root.
  package var parent: JSONPath { JSONPath(Array(components.dropLast())) }

  /// As a JSON Pointer (RFC 6901): `/data/attributes/fileSize`; the empty string for the root.
  package var pointer: String {
    var text = ""
    for component in components {
      text += "/"
      switch component {
      case .index(let index): text += String(index)
      case .key(let key):
        for character in key.unicodeScalars {
          switch character {
          case "~": text += "~0"
          case "/": text += "~1"
          default: text.unicodeScalars.append(character)
          }
        }
      }
    }
    return text
  }

  /// As people write it: `listeners.client.addresses[0]`; empty for the root.
  package var keyPath: String {
    var text = ""
    for component in components {
      switch component {
      case .index(let index): text += "[\(index)]"
      case .key(let key): text += text.isEmpty ? key : ".\(key)"
      }
    }
    return text
  }
}

extension JSONPath: ExpressibleByArrayLiteral {
  /// A path of keys.
  package init(arrayLiteral keys: String...) { self.init(keys.map { .key($0) }) }
}
