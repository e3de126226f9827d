/// Takes XML apart as far as property lists need it: tags, text with the five entities and character references,
/// comments, CDATA.
struct XMLScanner {
  struct Tag: Equatable {
    enum Kind { case open, close, empty }
    let name: String
    let kind: Kind

    /// As in the text, for messages.
    var text: String {
      switch kind {
      case .open: "<\(name)>"
      case .close: "</\(name)>"
      case .empty: "<\(name)/>"
      }
    }
  }

  private let bytes: [UInt8]
  private var offset = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
  }

  func failure(_ problem: String) -> PropertyListFailure {
    let line = 1 + bytes[..<min(offset, bytes.count)].reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
    return PropertyListFailure(problem, line: line)
  }

  private func isNext(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard bytes.count - offset >= count else { return false }
    return (0..<count).allSatisfy { bytes[offset + $0] == text.utf8Start[$0] }
  }

  /// Moves past the next `text`; throws when there is none.
  private mutating func skip(past text: StaticString, in what: String) throws(PropertyListFailure) {
    let start = self
    while offset < bytes.count {
      if isNext(text) {
        offset += text.utf8CodeUnitCount
        return
      }
      offset += 1
    }
    throw start.failure("expected \"\(text)\" at the end of \(what)")
  }

  private mutating func skipSpace() {
    while offset < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[offset]) { offset += 1 }
  }

  /// The XML declaration, comments and Apple's document type.
  mutating func skipProlog() throws(PropertyListFailure) {
    while true {
      skipSpace()
      if isNext("<?") {
        try skip(past: "?>", in: "a declaration")
      } else if isNext("<!--") {
        offset += 4
        try skip(past: "-->", in: "a comment")
      } else if isNext("<!DOCTYPE") {
        while offset < bytes.count, bytes[offset] != UInt8(ascii: ">") {
          guard bytes[offset] != UInt8(ascii: "[") else {
            throw failure("expected a document type without declarations of its own")
          }
          offset += 1
        }
        try skip(past: ">", in: "the document type")
      } else {
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: "<") else {
          throw failure("expected XML or a binary property list; convert other forms with plutil -convert xml1")
        }
        return
      }
    }
  }

  /// The next tag; nil at the end. Only white space and comments may stand before it.
  mutating func tag() throws(PropertyListFailure) -> Tag? {
    while true {
      skipSpace()
      if isNext("<!--") {
        offset += 4
        try skip(past: "-->", in: "a comment")
      } else if isNext("<?") {
        try skip(past: "?>", in: "a declaration")
      } else {
        break
      }
    }
    guard offset < bytes.count else { return nil }
    guard bytes[offset] == UInt8(ascii: "<") else { throw failure("expected a tag, found text") }
    offset += 1
    var kind = Tag.Kind.open
    if offset < bytes.count, bytes[offset] == UInt8(ascii: "/") {
      kind = .close
      offset += 1
    }
    let start = offset
    while offset < bytes.count, Self.isName(bytes[offset]) { offset += 1 }
    guard offset > start, offset - start <= 64 else { throw failure("expected the name of an element") }
    let name = String(decoding: bytes[start..<offset], as: UTF8.self)
    if try skipAttributes() {
      guard kind == .open else { throw failure("expected </\(name)>") }
      kind = .empty
    }
    return Tag(name: name, kind: kind)
  }

  private static func isName(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ":"): true
    default: false
    }
  }

  /// Moves past the tag's end; true when it is an empty element's. What the attributes say does not matter.
  private mutating func skipAttributes() throws(PropertyListFailure) -> Bool {
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      switch byte {
      case UInt8(ascii: ">"): return false
      case UInt8(ascii: "/"):
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: ">") else { throw failure("expected > after /") }
        offset += 1
        return true
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        while offset < bytes.count, bytes[offset] != byte { offset += 1 }
        guard offset < bytes.count else { throw failure("expected the end of an attribute's value") }
        offset += 1
      case UInt8(ascii: "<"): throw failure("expected > at the end of a tag")
      default: continue
      }
    }
    throw failure("expected > at the end of a tag")
  }

  /// The text up to the next tag.
  mutating func text() throws(PropertyListFailure) -> String {
    var collected: [UInt8] = []
    while offset < bytes.count {
      if isNext("<![CDATA[") {
        offset += 9
        let start = offset
        try skip(past: "]]>", in: "CDATA")
        collected += bytes[start..<(offset - 3)]
      } else if isNext("<!--") {
        offset += 4
        try skip(past: "-->", in: "a comment")
      } else if bytes[offset] == UInt8(ascii: "<") {
        break
      } else if bytes[offset] == UInt8(ascii: "&") {
        collected += Array(String(try reference()).utf8)
      } else {
        collected.append(bytes[offset])
        offset += 1
      }
    }
    guard let text = String(validating: collected, as: UTF8.self) else { throw failure("expected text in UTF-8") }
    return text
  }

  private mutating func reference() throws(PropertyListFailure) -> Character {
    let end = bytes[offset...].prefix(12).firstIndex(of: UInt8(ascii: ";"))
    guard let end else { throw failure("expected an entity such as &amp;") }
    let name = String(decoding: bytes[(offset + 1)..<end], as: UTF8.self)
    let scalar: Unicode.Scalar? =
      switch name {
      case "amp": "&"
      case "lt": "<"
      case "gt": ">"
      case "quot": "\""
      case "apos": "'"
      case _ where name.hasPrefix("#x"): UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
      case _ where name.hasPrefix("#"): UInt32(name.dropFirst(1)).flatMap(Unicode.Scalar.init)
      default: nil
      }
    guard let scalar, scalar.value != 0 else { throw failure("&\(name); is not a known entity") }
    offset = end + 1
    return Character(scalar)
  }
}
