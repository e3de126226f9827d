/// An authority taken apart into host and port (RFC 3986 section 3.2, without user information, which must not be
/// sent in HTTP: RFC 9110 section 4.2.4).
struct AuthorityParts {
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
      while index < bytes.count, Octets.hexDigit(bytes[index]) != nil || bytes[index] == 0x3A || bytes[index] == 0x2E {
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

/// The form in which hosts are compared with an app's domain allow-list.
package enum HostName {
  /// The longest host that is accepted, in bytes.
  package static let maximumLength = 255

  /// Writes the host of an authority in lower case, without port, trailing dot and the brackets of an IPv6 address.
  ///
  /// - Parameter target: 256 bytes are always enough.
  /// - Returns: the bytes written; nil when the authority has no host, is malformed, has an empty label, is not a
  ///   name or address in ASCII (percent-encoding is refused too), or does not fit.
  package static func normalise(
    _ authority: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
  ) -> Int? {
    guard let parts = AuthorityParts(authority) else { return nil }
    var host = parts.host
    if !parts.isBracketed, host.last == 0x2E { host = UnsafeRawBufferPointer(rebasing: host.dropLast()) }
    guard !host.isEmpty, host.count <= maximumLength, host.count <= target.count else { return nil }
    var previous: UInt8 = 0x2E
    for index in 0..<host.count {
      let byte = Octets.lowered(host[index])
      if !parts.isBracketed {
        guard byte == 0x2E || byte == 0x2D || byte == 0x5F || Octets.isDigit(byte) || Octets.isLetter(byte) else {
          return nil
        }
        if byte == 0x2E && previous == 0x2E { return nil }
      }
      target[index] = byte
      previous = byte
    }
    return previous == 0x2E && !parts.isBracketed ? nil : host.count
  }

  /// The normalised host of an authority as text, for configuration and command line.
  package static func normalised(_ authority: String) -> String? {
    withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { target in
      Array(authority.utf8).withUnsafeBytes { bytes in
        normalise(bytes, into: target).map { String(decoding: target[0..<$0], as: UTF8.self) }
      }
    }
  }
}
