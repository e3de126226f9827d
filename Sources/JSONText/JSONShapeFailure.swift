import Values

/// A document that is JSON, but not of the shape that was asked for.
package struct JSONShapeFailure: Error, Equatable, Sendable {
  /// What is wrong.
  package enum Kind: Equatable, Sendable {
    /// The member is not there.
    case missing(expected: String)
    /// The value is of another type.
    case wrongType(expected: String, found: String)
    /// The object has a key that is not allowed.
    case unknownKey(String, nearest: String?, allowed: [String])
    /// The type is right and the value is not.
    case outOfRange(expected: String, found: String)
  }

  /// Where: the path of the value, also of one that is missing or should not be there.
  package let path: JSONPath
  package let kind: Kind

  package init(_ path: JSONPath, _ kind: Kind) {
    self.path = path
    self.kind = kind
  }

  /// What is wrong, without the place: "expected an integer, found a string".
  package var detail: String {
    switch kind {
    case .missing(let expected): "expected \(expected), found nothing"
    case .wrongType(let expected, let found), .outOfRange(let expected, let found):
      "expected \(expected), found \(found)"
    case .unknownKey(let key, let nearest?, _): "unknown key \(quoted(key)), did you mean \(quoted(nearest))?"
    case .unknownKey(let key, nil, let allowed):
      allowed.isEmpty
        ? "unknown key \(quoted(key)), no key is known here"
        : "unknown key \(quoted(key)), known are \(allowed.map(quoted).joined(separator: ", "))"
    }
  }

  /// The whole reason, with the place as JSON Pointer: "wrong type at /data/attributes/fileSize: expected an integer,
  /// found a string".
  package var sentence: String { sentence(at: path.pointer) }

  /// The whole reason, with the place as key path: "missing at listeners.client: …".
  package var keyPathSentence: String { sentence(at: path.keyPath) }

  private func sentence(at place: String) -> String {
    let title =
      switch kind {
      case .missing: "missing"
      case .wrongType: "wrong type"
      case .unknownKey: "unknown key"
      case .outOfRange: "wrong value"
      }
    return "\(title) at \(place.isEmpty ? "the root" : place): \(detail)"
  }
}
