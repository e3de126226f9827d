import Values

/// Reads property lists in XML, as Xcode and plutil write them: the elements of Apple's document type and nothing else.
/// A document type with entities of its own is refused, so that a short text cannot grow.
struct XMLPropertyListParser {
  private var scanner: XMLScanner
  private let limits: PropertyListLimits
  private var left: Int

  static func parse(_ bytes: [UInt8], limits: PropertyListLimits) throws(PropertyListFailure) -> PropertyList {
    var parser = XMLPropertyListParser(scanner: XMLScanner(bytes), limits: limits, left: limits.values)
    return try parser.document()
  }

  private mutating func document() throws(PropertyListFailure) -> PropertyList {
    try scanner.skipProlog()
    guard let first = try scanner.tag() else { throw scanner.failure("expected <plist>, as the root of XML") }
    let value: PropertyList
    if first.name == "plist", first.kind == .open {
      value = try self.value(try required("a value"), depth: 0)
      let end = try required("</plist>")
      guard end.name == "plist", end.kind == .close else {
        throw scanner.failure("expected </plist> after the value, found \(end.text)")
      }
    } else {
      throw scanner.failure("expected <plist>, found \(first.text)")
    }
    guard try scanner.tag() == nil else { throw scanner.failure("expected nothing after </plist>") }
    return value
  }

  private mutating func required(_ expected: String) throws(PropertyListFailure) -> XMLScanner.Tag {
    guard let tag = try scanner.tag() else { throw scanner.failure("expected \(expected), found the end of the text") }
    return tag
  }

  private mutating func value(_ tag: XMLScanner.Tag, depth: Int) throws(PropertyListFailure) -> PropertyList {
    guard tag.kind != .close else { throw scanner.failure("expected a value, found \(tag.text)") }
    guard left > 0 else { throw scanner.failure("it has more than \(limits.values) values") }
    left -= 1
    switch tag.name {
    case "true", "false":
      if tag.kind == .open { try close(tag.name) }
      return .bool(tag.name == "true")
    case "dict": return try dictionary(tag, depth: depth)
    case "array": return try array(tag, depth: depth)
    case "string": return .string(try text(tag))
    case "integer": return try integer(try text(tag))
    case "real":
      guard let number = Double(Self.trimmed(try text(tag))) else {
        throw scanner.failure("expected a number in <real>")
      }
      return .real(number)
    case "date":
      guard let seconds = PropertyListDate.seconds(Self.trimmed(try text(tag))) else {
        throw scanner.failure("expected a date such as 2026-01-31T12:00:00Z in <date>")
      }
      return .date(seconds)
    case "data":
      guard let data = Base64.decode(try text(tag)) else { throw scanner.failure("expected Base64 in <data>") }
      return .data(data)
    default: throw scanner.failure("expected an element of a property list, found \(tag.text)")
    }
  }

  private mutating func text(_ tag: XMLScanner.Tag) throws(PropertyListFailure) -> String {
    guard tag.kind == .open else { return "" }
    let text = try scanner.text()
    try close(tag.name)
    return text
  }

  private mutating func close(_ name: String) throws(PropertyListFailure) {
    let tag = try required("</\(name)>")
    guard tag.kind == .close, tag.name == name else { throw scanner.failure("expected </\(name)>, found \(tag.text)") }
  }

  private func integer(_ text: String) throws(PropertyListFailure) -> PropertyList {
    let digits = Self.trimmed(text)
    let isHexadecimal = digits.lowercased().hasPrefix("0x")
    let number = isHexadecimal ? Int64(digits.dropFirst(2), radix: 16) : Int64(digits)
    guard let number else { throw scanner.failure("expected an integer in <integer>, found \"\(digits.prefix(40))\"") }
    return .integer(number)
  }

  private mutating func array(_ tag: XMLScanner.Tag, depth: Int) throws(PropertyListFailure) -> PropertyList {
    try deeper(depth)
    guard tag.kind == .open else { return .array([]) }
    var elements: [PropertyList] = []
    while true {
      let next = try required("</array>")
      if next.kind == .close, next.name == "array" { return .array(elements) }
      elements.append(try value(next, depth: depth + 1))
    }
  }

  private mutating func dictionary(_ tag: XMLScanner.Tag, depth: Int) throws(PropertyListFailure) -> PropertyList {
    try deeper(depth)
    var members = PropertyDictionary()
    guard tag.kind == .open else { return .dictionary(members) }
    while true {
      let next = try required("</dict>")
      if next.kind == .close, next.name == "dict" { return .dictionary(members) }
      guard next.name == "key", next.kind != .close else {
        throw scanner.failure("expected <key> in a dictionary, found \(next.text)")
      }
      let key = try text(next)
      let tag = try required("the value of \"\(key.prefix(80))\"")
      guard tag.kind != .close, tag.name != "key" else {
        throw scanner.failure("expected the value of the key \"\(key.prefix(80))\", found \(tag.text)")
      }
      guard members.append(key, try value(tag, depth: depth + 1)) else {
        throw scanner.failure("the key \"\(key.prefix(80))\" appears twice in one dictionary")
      }
    }
  }

  private func deeper(_ depth: Int) throws(PropertyListFailure) {
    guard depth < limits.depth else { throw scanner.failure("it is nested deeper than \(limits.depth) levels") }
  }

  private static func trimmed(_ text: String) -> String {
    var rest = Substring(text)
    while let first = rest.unicodeScalars.first, " \t\r\n".unicodeScalars.contains(first) {
      rest.unicodeScalars.removeFirst()
    }
    while let last = rest.unicodeScalars.last, " \t\r\n".unicodeScalars.contains(last) {
      rest.unicodeScalars.removeLast()
    }
    return String(rest)
  }
}
