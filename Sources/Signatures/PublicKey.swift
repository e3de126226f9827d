import COpenSSL

/// A public key on the curve P-256, and the check of ES256 signatures with it (RFC 7518 section 3.4).
///
/// `@unchecked Sendable`: the key is never changed after `init`, and OpenSSL lets threads read one side by side.
package final class PublicKey: @unchecked Sendable {
  private let pointer: OpaquePointer

  /// Reads a PEM block `BEGIN PUBLIC KEY` (RFC 7468 section 13).
  ///
  /// Throws `.privateKey` for the secret half, which nobody should send, `.notPEM`, and `.notP256` for other kinds of
  /// keys and for points that are not on the curve.
  package init(pem text: String) throws(SignatureFailure) {
    if text.contains("PRIVATE KEY") { throw .privateKey }
    let bytes = Array(text.utf8)
    guard text.contains("-----BEGIN PUBLIC KEY-----"), bytes.count <= Self.limit, !bytes.contains(0),
      let bio = BIO_new_mem_buf(bytes, Int32(bytes.count))
    else { throw .notPEM }
    defer { BIO_free(bio) }
    // Without a callback OpenSSL would ask for a pass phrase on the terminal.
    guard let pointer = PEM_read_bio_PUBKEY(bio, nil, { _, _, _, _ in -1 }, nil) else {
      ERR_clear_error()
      throw .notPEM
    }
    self.pointer = pointer
    let isGood = packhouse_is_P256(pointer) == 1
    ERR_clear_error()
    guard isGood else { throw .notP256 }
  }

  deinit { EVP_PKEY_free(pointer) }

  /// The most bytes of PEM text that are looked at.
  package static let limit = 4096

  /// Whether `signature` (64 bytes: r and s, each 32 bytes, the highest first) is one of this key's over `message`.
  package func verifies(signature: [UInt8], over message: [UInt8]) -> Bool {
    guard let encoded = Self.der(signature) else { return false }
    let result = packhouse_verify_sha256(pointer, encoded, encoded.count, message, message.count)
    ERR_clear_error()
    return result == 1
  }

  /// The key as PEM again, without the text that stood around it.
  package func pem() throws(SignatureFailure) -> String {
    guard let bio = BIO_new(BIO_s_mem()) else { throw .notPEM }
    defer { BIO_free(bio) }
    guard PEM_write_bio_PUBKEY(bio, pointer) == 1 else {
      ERR_clear_error()
      throw .notPEM
    }
    var start: UnsafeMutablePointer<CChar>?
    let count = packhouse_BIO_get_mem_data(bio, &start)
    guard let start, count > 0 else { throw .notPEM }
    return String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// r and s as OpenSSL wants them: a SEQUENCE of two INTEGERs (RFC 3279 section 2.2.3). Nil unless there are 64
  /// bytes. At most 70 bytes come out, so that every length fits in one byte.
  static func der(_ raw: [UInt8]) -> [UInt8]? {
    guard raw.count == 64 else { return nil }
    let content = integer(raw[..<32]) + integer(raw[32...])
    return [0x30, UInt8(truncatingIfNeeded: content.count)] + content
  }

  /// An unsigned number as an INTEGER: no zeros in front, but one when the highest bit would mean a negative number.
  private static func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var digits = Array(bytes.drop { $0 == 0 })
    if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
    return [0x02, UInt8(truncatingIfNeeded: digits.count)] + digits
  }
}
