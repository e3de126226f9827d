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
