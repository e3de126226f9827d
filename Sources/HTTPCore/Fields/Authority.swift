import Values

/// An authority taken apart into host and port (RFC 3986 section 3.2, without user information, which must not be
/// sent in HTTP: RFC 9110 section 4.2.4).
package struct Authority {
  /// The host without brackets.
  let host: UnsafeRawBufferPointer
  /// Whether the host stood in brackets, that is, is an IPv6 address.
  let isBracketed: Bool
  /// Whether a colon and at least one digit follow the host.
  let hasPort: Bool

  /// Bits of letters, digits and `-._~!$&'()*+;=%`. The comma is left out: it is what two joined Host fields have.
  private static let lowHost: UInt64 = 0x2BFF_6FF2_0000_0000
  private static let highHost: UInt64 = 0x47FF_FFFE_87FF_FFFE

  /// Nil when the bytes are not a host with an optional port of at most five digits. The host may be empty.
  init?(_ bytes: UnsafeRawBufferPointer) {
    var index = 0
    if bytes.first == 0x5B {
      index = 1
      while index < bytes.count, hexadecimalValue(bytes[index]) != nil || bytes[index] == 0x3A || bytes[index] == 0x2E {
        index += 1
      }
      guard index < bytes.count, bytes[index] == 0x5D, index > 2 else { return nil }
      host = UnsafeRawBufferPointer(rebasing: bytes[1..<index])
      isBracketed = true
      index += 1
    } else {
      while index < bytes.count, Self.isHostByte(bytes[index]) { index += 1 }
      host = UnsafeRawBufferPointer(rebasing: bytes[0..<index])
      isBracketed = false
    }
    guard index < bytes.count else {
      hasPort = false
      return
    }
    guard bytes[index] == 0x3A else { return nil }
    let digits = bytes.count - index - 1
    guard digits <= 5 else { return nil }
    for position in index + 1..<bytes.count where !Octets.isDigit(bytes[position]) { return nil }
    hasPort = digits > 0
  }

  private static func isHostByte(_ byte: UInt8) -> Bool {
    if byte < 64 { return lowHost & (1 << UInt64(byte)) != 0 }
    return byte < 128 && highHost & (1 << UInt64(byte - 64)) != 0
  }
}

extension Authority {
  /// Writes the host of an authority in the form in which hosts are compared with an app's domain allow-list: in lower
  /// case, without port, trailing dot and the brackets of an IPv6 address.
  ///
  /// - Parameter target: 256 bytes are always enough.
  /// - Returns: the bytes written; nil when the authority has no host, is malformed, is not a host by the rule of
  ///   `HostName.isName`, or does not fit. Of an address in brackets only the characters are checked.
  package static func normaliseHost(
    _ authority: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
  ) -> Int? {
    guard let parts = Authority(authority) else { return nil }
    var host = parts.host
    if !parts.isBracketed, host.last == 0x2E { host = UnsafeRawBufferPointer(rebasing: host.dropLast()) }
    guard host.count <= target.count, parts.isBracketed ? host.count <= 45 : HostName.isName(host) else { return nil }
    for index in 0..<host.count { target[index] = Octets.lowered(host[index]) }
    return host.count
  }
}
