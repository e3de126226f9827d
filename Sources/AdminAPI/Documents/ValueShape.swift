import JSONText
import Values

/// A kind of value in a body: its JSON Schema and how it is read, which say the same.
struct ValueShape<Value: Sendable>: Sendable {
  typealias Reader = @Sendable (JSONCursor) throws(JSONShapeFailure) -> Value

  let schema: JSONValue
  let read: Reader

  init(_ schema: JSONValue, read: @escaping Reader) {
    self.schema = schema
    self.read = read
  }
}

extension ValueShape<String> {
  /// A text with a number of bytes in `lengths`.
  static func text(_ lengths: ClosedRange<Int>) -> ValueShape { text(lengths, Schema.text(lengths)) }

  /// A text with a number of bytes in `lengths`, whose schema says more; the caller checks that.
  static func text(_ lengths: ClosedRange<Int>, pattern: String) -> ValueShape {
    text(lengths, Schema.text(pattern: pattern))
  }

  /// This text and no other.
  static func constant(_ text: String) -> ValueShape {
    ValueShape(Schema.choice([text])) { (value) throws(JSONShapeFailure) in
      guard try value.string() == text else { throw value.outOfRange(quoted(text)) }
      return text
    }
  }

  /// A SHA-256 in hexadecimal digits, kept in lower case.
  static var digest: ValueShape {
    ValueShape(Schema.digest) { (value) throws(JSONShapeFailure) in
      let text = try value.string().lowercased()
      guard text.utf8.count == 64, text.allSatisfy(\.isHexDigit) else {
        throw value.outOfRange("64 hexadecimal digits")
      }
      return text
    }
  }

  private static func text(_ lengths: ClosedRange<Int>, _ schema: JSONValue) -> ValueShape {
    ValueShape(schema) { (value) throws(JSONShapeFailure) in try value.string(bytes: lengths) }
  }
}

extension ValueShape<Int> {
  /// An integer; a range up to `Int.max` has no upper limit in the schema.
  static func integer(_ range: ClosedRange<Int>) -> ValueShape {
    let most = range.upperBound == .max ? nil : range.upperBound
    return ValueShape(Schema.integer(from: range.lowerBound, to: most)) { (value) throws(JSONShapeFailure) in
      try value.integer(in: range)
    }
  }
}

extension ValueShape<Bool> {
  static var flag: ValueShape {
    ValueShape(Schema.flag) { (value) throws(JSONShapeFailure) in try value.bool() }
  }

  /// A switch that can only be turned on.
  static var on: ValueShape {
    ValueShape(Schema.on) { (value) throws(JSONShapeFailure) in
      guard try value.bool() else { throw value.outOfRange("true", found: "false") }
      return true
    }
  }
}

extension ValueShape where Value: RawRepresentable<String> & CaseIterable {
  /// The raw value of an enum's case.
  static func choice(_: Value.Type) -> ValueShape {
    ValueShape(Schema.choice(of: Value.self)) { (value) throws(JSONShapeFailure) in try value.choice(of: Value.self) }
  }
}

extension ValueShape {
  /// A list with a number of elements in `counts`. `expected` says what an empty one lacks, where one is not allowed.
  static func list<Element>(
    _ element: ValueShape<Element>, _ counts: ClosedRange<Int>, expected: String = "at least one"
  ) -> ValueShape where Value == [Element] {
    ValueShape(Schema.list(element.schema, counts)) { (value) throws(JSONShapeFailure) in
      var elements: [Element] = []
      for item in try value.array(maximum: counts.upperBound) { elements.append(try element.read(item)) }
      guard elements.count >= counts.lowerBound else { throw value.outOfRange(expected, found: "none") }
      return elements
    }
  }

  /// An object with these members and no others; the value is a tuple.
  static func object<each Member: Sendable>(_ fields: repeat Field<each Member>) -> ValueShape
  where Value == (repeat each Member) {
    var members: [(String, JSONValue)] = []
    var required: [String] = []
    for field in repeat each fields {
      members.append((field.name, field.schema))
      if field.isRequired { required.append(field.name) }
    }
    let names = members.map(\.0)
    return ValueShape(Schema.object(members, required: required)) { (value) throws(JSONShapeFailure) in
      let object = try value.object(allowing: names)
      return (repeat try (each fields).read(object))
    }
  }

  /// The same value, turned into something else.
  func map<Other: Sendable>(_ transform: @escaping @Sendable (Value) -> Other) -> ValueShape<Other> {
    ValueShape<Other>(schema) { [read] value throws(JSONShapeFailure) in transform(try read(value)) }
  }
}
