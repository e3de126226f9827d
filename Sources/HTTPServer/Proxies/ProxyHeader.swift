import EventLoop

/// The binary header of HAProxy's PROXY protocol, version 2 (proxy-protocol.txt section 2.2), which a proxy sends in
/// front of everything else to say for whom it connects.
package enum ProxyHeader {
  /// The result for the bytes so far.
  package enum Outcome: Equatable, Sendable {
    case needMore
    /// Not such a header, or one longer than `longest`.
    case malformed
    /// A header of `length` bytes. `source` is nil when the proxy speaks for itself (LOCAL) or for something that
    /// has no IP address.
    case complete(length: Int, source: IPAddress?)
  }

  /// The longest header that is read, in bytes; addresses need at most 52, the rest are extensions.
  package static let longest = 2048

  private static let signature: [UInt8] = [
    0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A,
  ]

  /// Reads the front of `bytes`; extensions (TLVs) are skipped.
  package static func parse(_ bytes: UnsafeRawBufferPointer) -> Outcome {
    // A mismatch is refused at the first wrong byte: otherwise a client that speaks TLS would be waited for.
    guard bytes.prefix(12).elementsEqual(signature.prefix(bytes.count)) else { return .malformed }
    guard bytes.count >= 16 else { return .needMore }
    let length = 16 + Int(bytes[14]) << 8 + Int(bytes[15])
    let command = bytes[12] & 0x0F
    guard bytes[12] >> 4 == 2, command <= 1, length <= longest else { return .malformed }
    guard bytes.count >= length else { return .needMore }
    if command == 0 { return .complete(length: length, source: nil) }
    let addresses = bytes[16..<length]
    switch bytes[13] {
    // Family in the upper half, transport in the lower: only streams come here.
    case 0x11:
      guard addresses.count >= 12 else { return .malformed }
      return .complete(length: length, source: IPAddress(addresses.prefix(4)))
    case 0x21:
      guard addresses.count >= 36 else { return .malformed }
      return .complete(length: length, source: IPAddress(addresses.prefix(16)))
    case 0x00, 0x31:
      return .complete(length: length, source: nil)
    default: return .malformed
    }
  }
}
