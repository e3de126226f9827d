import Values

/// An object together with its path.
package struct JSONObjectCursor: Sendable {
  package let object: JSONObject
  package let path: JSONPath

  package init(_ object: JSONObject, path: JSONPath) {
    self.object = object
    self.path = path
  }

  /// The keys in order.
  package var keys: [String] { object.keys }

  /// The member `key`, which must be there; `expected` says what, for the sentence.
  package func required(_ key: String, expected: String = "a value") throws(JSONShapeFailure) -> JSONCursor {
    guard let value = object[key] else {
      throw JSONShapeFailure(path.appending(key), .missing(expected: expected))
    }
    return JSONCursor(value, path: path.appending(key))
  }

  /// The member `key`; nil when it is not there or null.
  package func optional(_ key: String) -> JSONCursor? {
    guard let value = object[key], value != .null else { return nil }
    return JSONCursor(value, path: path.appending(key))
  }

  /// The member `key`, which may be null; nil when it is not there.
  package func present(_ key: String) -> JSONCursor? {
    object[key].map { JSONCursor($0, path: path.appending(key)) }
  }

  /// One failure for each key that is not among `allowed`, in order, up to `maximum` of them: looking for the nearest
  /// known key takes time, and a hostile object has many.
  package func unknownKeys(allowing allowed: [String], maximum: Int = 100) -> [JSONShapeFailure] {
    object.members.lazy.map(\.key).filter { !allowed.contains($0) }.prefix(maximum).map { key in
      let kind = JSONShapeFailure.Kind.unknownKey(key, nearest: nearest(to: key, in: allowed), allowed: allowed)
      return JSONShapeFailure(path.appending(key), kind)
    }
  }
}
