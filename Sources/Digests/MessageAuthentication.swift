import COpenSSL

/// HMAC with SHA-256 (RFC 2104).
package enum MessageAuthentication {
  /// The 32 bytes of the code; empty, which matches nothing, when OpenSSL had no memory.
  package static func code(key: [UInt8], message: [UInt8]) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: 32)
    var count: UInt32 = 0
    guard let length = Int32(exactly: key.count),
      HMAC(EVP_sha256(), key, length, message, message.count, &code, &count) != nil, count == 32
    else { return [] }
    return code
  }

  /// Whether two codes are equal, in a time that does not tell where they differ.
  package static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    !a.isEmpty && a.count == b.count && CRYPTO_memcmp(a, b, a.count) == 0
  }
}
