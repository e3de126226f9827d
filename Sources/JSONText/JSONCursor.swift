import Values

/// A value together with its path, read with getters that say what they expected and what they found.
package struct JSONCursor: Sendable {
  package let value: JSONValue
  package let path: JSONPath

  package init(_ value: JSONValue, path: JSONPath = .root) {
    self.value = value
    self.path = path
  }

  /// The value as an object with any keys.
  package func object() throws(JSONShapeFailure) -> JSONObjectCursor {
    guard case .object(let object) = value else { throw wrongType("an object") }
    return JSONObjectCursor(object, path: path)
  }

  /// The value as an object with no keys but `keys`; the first unknown one is thrown.
  package func object(allowing keys: [String]) throws(JSONShapeFailure) -> JSONObjectCursor {
    let object = try object()
    if let failure = object.unknownKeys(allowing: keys, maximum: 1).first { throw failure }
    return object
  }

  /// The value as an array of cursors; more than `maximum` elements are out of range.
  package func array(maximum: Int = .max) throws(JSONShapeFailure) -> [JSONCursor] {
    guard case .array(let elements) = value else { throw wrongType("an array") }
    guard elements.count <= maximum else {
      throw outOfRange("at most \(maximum) elements", found: "\(elements.count) elements")
    }
    return elements.enumerated().map { JSONCursor($1, path: path.appending($0)) }
  }

  /// The value as a string.
  package func string() throws(JSONShapeFailure) -> String {
    guard case .string(let text) = value else { throw wrongType("a string") }
    return text
  }

  /// The value as a string whose UTF-8 has a number of bytes in `lengths`.
  package func string(bytes lengths: ClosedRange<Int>) throws(JSONShapeFailure) -> String {
    let text = try string()
    guard lengths.contains(text.utf8.count) else {
      throw outOfRange(
        "a string of \(lengths.lowerBound) to \(lengths.upperBound) bytes", found: "\(text.utf8.count) bytes")
    }
    return text
  }

  /// The value as the raw value of an enum's case.
  package func choice<Choice: RawRepresentable<String> & CaseIterable>(
    of type: Choice.Type = Choice.self
  ) throws(JSONShapeFailure) -> Choice {
    let text = try string()
    guard let choice = Choice(rawValue: text) else {
      let names = Choice.allCases.map { quoted($0.rawValue) }.joined(separator: ", ")
      throw outOfRange("one of \(names)", found: quoted(text))
    }
    return choice
  }

  /// The value as an integer in `range`. Only integer literals count: `3.0` is not an integer.
  package func integer(in range: ClosedRange<Int> = .min ... .max) throws(JSONShapeFailure) -> Int {
    guard case .number(let number) = value, number.isInteger else { throw wrongType("an integer") }
    guard let integer = number.int, range.contains(integer) else {
      throw outOfRange(Self.describe(range), found: String(number.literal.prefix(40)))
    }
    return integer
  }

  /// The value as a finite number.
  package func number() throws(JSONShapeFailure) -> Double {
    guard case .number(let number) = value else { throw wrongType("a number") }
    guard let double = number.double else {
      throw outOfRange("a number that fits in 64 bits", found: String(number.literal.prefix(40)))
    }
    return double
  }

  /// The value as a boolean.
  package func bool() throws(JSONShapeFailure) -> Bool {
    guard case .bool(let flag) = value else { throw wrongType("true or false") }
    return flag
  }

  /// The failure that the value here is of the wrong type.
  package func wrongType(_ expected: String) -> JSONShapeFailure {
    JSONShapeFailure(path, .wrongType(expected: expected, found: value.kind))
  }

  /// The failure that the value here is not acceptable; `found` defaults to the value itself where it is short.
  package func outOfRange(_ expected: String, found: String? = nil) -> JSONShapeFailure {
    let shown: String =
      switch value {
      case .string(let text): quoted(text)
      case .number(let number): String(number.literal.prefix(40))
      default: value.kind
      }
    return JSONShapeFailure(path, .outOfRange(expected: expected, found: found ?? shown))
  }

  private static func describe(_ range: ClosedRange<Int>) -> String {
    switch (range.lowerBound, range.upperBound) {
    case (.min, .max): "an integer that fits in 64 bits"
    case (let lower, .max): "an integer of at least \(lower)"
    case (.min, let upper): "an integer of at most \(upper)"
    case (let lower, let upper): "an integer from \(lower) to \(upper)"
    }
  }
}

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
