/// Renders field lines so that a value from outside cannot end its line (RFC 9110 section 5.5).
enum FieldText {
  /// The value's bytes without control bytes other than tabs.
  static func value(_ text: String) -> [UInt8] {
    text.utf8.filter { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
  }

  /// Adds one line; nothing when the name is not a token.
  static func append(_ name: String, _ text: String, to lines: inout [UInt8]) {
    guard !name.isEmpty, name.utf8.allSatisfy(Octets.isToken) else { return }
    lines += name.utf8
    lines += [0x3A, 0x20]
    lines += value(text)
    lines += [0x0D, 0x0A]
  }
}
