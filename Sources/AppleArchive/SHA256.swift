/// A streaming SHA-256 (FIPS 180-4), which can be used again after `finish`.
package struct SHA256: ~Copyable {
  private var digest: MessageDigest

  /// Throws `digestUnavailable` when OpenSSL cannot provide the algorithm.
  package init() throws(ArchiveFailure) {
    digest = try MessageDigest(.sha256)
  }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    digest.update(bytes)
  }

  /// The 32 bytes of the digest. The next `update` starts a new one.
  package mutating func finish() throws(ArchiveFailure) -> [UInt8] {
    try digest.finish()
  }

  /// The digest as 64 lower-case hexadecimal digits. The next `update` starts a new one.
  package mutating func finishHex() throws(ArchiveFailure) -> String {
    hexadecimal(try digest.finish())
  }

  /// The digest of `bytes` as 64 lower-case hexadecimal digits.
  package static func hex(of bytes: [UInt8]) throws(ArchiveFailure) -> String {
    var hash = try SHA256()
    bytes.withUnsafeBytes { hash.update($0) }
    return try hash.finishHex()
  }
}

/// `bytes` as lower-case hexadecimal digits.
package func hexadecimal(_ bytes: [UInt8]) -> String {
  let digits: [UInt8] = Array("0123456789abcdef".utf8)
  return String(unsafeUninitializedCapacity: bytes.count * 2) { buffer in
    var index = 0
    for byte in bytes {
      buffer[index] = digits[Int(byte >> 4)]
      buffer[index + 1] = digits[Int(byte & 15)]
      index += 2
    }
    return index
  }
}
