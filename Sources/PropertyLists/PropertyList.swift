/// A property list as a tree of plain values.
///
/// Written here because FoundationEssentials would double the size of the program, and names neither the line of a
/// fault nor a duplicate key.
package enum PropertyList: Sendable, Equatable {
  case string(String)
  case integer(Int64)
  case real(Double)
  case bool(Bool)
  /// Seconds since 2001-01-01T00:00:00Z.
  case date(Double)
  case data([UInt8])
  case array([PropertyList])
  case dictionary(PropertyDictionary)

  /// What the value is, in words for a sentence.
  package var kind: String {
    switch self {
    case .string: "a string"
    case .integer: "an integer"
    case .real: "a real number"
    case .bool: "a Boolean"
    case .date: "a date"
    case .data: "data"
    case .array: "an array"
    case .dictionary: "a dictionary"
    }
  }

  /// The string, or nil when the value is something else.
  package var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The integer, or nil when the value is something else.
  package var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The Boolean, or nil when the value is something else.
  package var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The elements, or nil when the value is not an array.
  package var array: [PropertyList]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The members, or nil when the value is not a dictionary.
  package var dictionary: PropertyDictionary? {
    if case .dictionary(let value) = self { value } else { nil }
  }

  /// The member `key` of a dictionary; nil when there is none or the value is not a dictionary.
  package subscript(_ key: String) -> PropertyList? { dictionary?[key] }

  /// Reads either form: XML, or binary when the bytes begin with `bplist`.
  package static func parse(
    _ bytes: [UInt8], limits: PropertyListLimits = PropertyListLimits()
  ) throws(PropertyListFailure) -> PropertyList {
    guard bytes.count <= limits.bytes else {
      throw PropertyListFailure("it has \(bytes.count) bytes, expected at most \(limits.bytes)")
    }
    guard !bytes.isEmpty else { throw PropertyListFailure("it is empty") }
    if bytes.starts(with: Array("bplist".utf8)) {
      return try BinaryPropertyListParser.parse(bytes, limits: limits)
    }
    if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
      throw PropertyListFailure("it is UTF-16 text, expected UTF-8; convert it with plutil -convert xml1")
    }
    return try XMLPropertyListParser.parse(bytes, limits: limits)
  }
}

/// The members of a dictionary in the order they were written. No key is there twice.
package struct PropertyDictionary: Sendable, Equatable {
  /// A key with its value.
  package struct Member: Sendable, Equatable {
    package let key: String
    package let value: PropertyList
  }

  package private(set) var members: [Member] = []
  private var places: [String: Int] = [:]

  package init() {}

  /// Members from pairs; of a key that comes twice the first one stays.
  package init(_ pairs: [(String, PropertyList)]) {
    for (key, value) in pairs { append(key, value) }
  }

  /// Adds a member at the end; false, and nothing changes, when the key is there already.
  @discardableResult
  package mutating func append(_ key: String, _ value: PropertyList) -> Bool {
    guard places[key] == nil else { return false }
    places[key] = members.count
    members.append(Member(key: key, value: value))
    return true
  }

  package subscript(_ key: String) -> PropertyList? { places[key].map { members[$0].value } }

  /// Equal members in the same order.
  package static func == (a: PropertyDictionary, b: PropertyDictionary) -> Bool { a.members == b.members }
}

/// How large a property list may be.
package struct PropertyListLimits: Sendable {
  /// Bytes of the text or file.
  package var bytes = 4 << 20
  /// Arrays and dictionaries in each other.
  package var depth = 32
  /// Values of the tree; a shared value of a binary list counts each time it is named.
  package var values = 100_000

  package init() {}
}

/// Why bytes are not a property list.
package struct PropertyListFailure: Error, Sendable, Equatable {
  /// Counted from 1; nil for a binary list, or when the whole is meant.
  package let line: Int?
  /// What was wrong and what was expected, without a full stop.
  package let problem: String

  init(_ problem: String, line: Int? = nil) {
    self.problem = problem
    self.line = line
  }

  /// "line 3: expected …".
  package var sentence: String { line.map { "line \($0): \(problem)" } ?? problem }
}
