/// PEM text and where it came from, so that a message can name the file.
package struct PEMText: Sendable, Equatable {
  /// The path, or other words for a person.
  package let file: String
  package let bytes: [UInt8]

  package init(file: String, bytes: [UInt8]) {
    self.file = file
    self.bytes = bytes
  }

  /// Whether a block says that it needs a pass phrase (RFC 7468 section 11, or the older `Proc-Type` line).
  var mentionsEncryption: Bool {
    let word = Array("ENCRYPTED".utf8)
    guard bytes.count >= word.count else { return false }
    return bytes.indices.dropLast(word.count - 1).contains { bytes[$0...].starts(with: word) }
  }
}
