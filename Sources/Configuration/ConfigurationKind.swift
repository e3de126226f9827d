import JSONText
import Values

/// What a key may be set to: the sentence that says so, and the way from JSON to the value that the program uses.
///
/// A target that has types of its own adds kinds in an extension: `extension ConfigurationKind where Value == …`.
package struct ConfigurationKind<Value: Sendable>: Sendable {
  package typealias Decoder = @Sendable (JSONValue) throws(ConfigurationMisfit) -> Value

  /// "a path", "an integer from 1 to 256": follows "expected" in messages, and is printed in the reference.
  package let expectation: String
  package let decode: Decoder

  package init(_ expectation: String, decode: @escaping Decoder) {
    self.expectation = expectation
    self.decode = decode
  }

  /// One of the names, each with what it stands for.
  package static func choice(_ names: [(name: String, value: Value)]) -> Self {
    ConfigurationKind("one of " + names.map { "\"\($0.name)\"" }.joined(separator: ", ")) {
      (json) throws(ConfigurationMisfit) in
      guard let match = names.first(where: { $0.name == json.string }) else { throw .value }
      return match.value
    }
  }
}

extension ConfigurationKind where Value == String {
  /// The path of a file or folder.
  package static var path: Self { text("a path") }
  package static var text: Self { text("a text") }

  package static var httpsURL: Self {
    ConfigurationKind("an https URL") { (json) throws(ConfigurationMisfit) in
      guard let text = json.string, text.prefix(8).lowercased() == "https://" else { throw .value }
      let rest = text.dropFirst(8)
      let isPlain = rest.utf8.allSatisfy {
        (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
      }
      guard isPlain, !rest.isEmpty, !rest.hasPrefix("/") else { throw .value }
      return text
    }
  }

  /// A text with at least one character and no NUL.
  package static func text(_ expectation: String) -> Self {
    ConfigurationKind(expectation) { (json) throws(ConfigurationMisfit) in
      guard let text = json.string, !text.isEmpty, !text.utf8.contains(0) else { throw .value }
      return text
    }
  }
}

extension ConfigurationKind where Value == Bool {
  package static var flag: Self {
    ConfigurationKind("true or false") { (json) throws(ConfigurationMisfit) in
      guard let flag = json.bool else { throw .value }
      return flag
    }
  }
}

extension ConfigurationKind where Value: RawRepresentable<String> & CaseIterable {
  /// One of the enum's raw values.
  package static var choice: Self { choice(Value.allCases.map { ($0.rawValue, $0) }) }
}

extension ConfigurationKind where Value: FixedWidthInteger {
  package static func integer(_ range: ClosedRange<Int>) -> Self {
    ConfigurationKind("an integer from \(range.lowerBound) to \(range.upperBound)") {
      (json) throws(ConfigurationMisfit) in
      guard let integer = json.int, range.contains(integer), let value = Value(exactly: integer) else { throw .value }
      return value
    }
  }

  /// A size with a unit, or a plain number of bytes. The value is in bytes.
  package static func bytes(from least: ByteCount, to most: ByteCount) -> Self {
    ConfigurationKind("a size from \(least) to \(most), such as \"16 KiB\"") { (json) throws(ConfigurationMisfit) in
      let count = json.string.flatMap { ByteCount($0) } ?? json.int.map { ByteCount(bytes: $0) }
      guard let count, count >= least, count <= most, let value = Value(exactly: count.bytes) else { throw .value }
      return value
    }
  }

  /// A time with a unit. The value is in seconds, rounded up.
  package static func time(from least: TimeSpan, to most: TimeSpan) -> Self {
    ConfigurationKind("a time from \(least) to \(most), such as \"30 s\"") { (json) throws(ConfigurationMisfit) in
      guard let span = json.string.flatMap({ TimeSpan($0) }), span >= least, span <= most,
        let value = Value(exactly: span.seconds)
      else { throw .value }
      return value
    }
  }
}
