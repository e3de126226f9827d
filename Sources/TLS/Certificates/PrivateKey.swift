import COpenSSL

/// A private key in OpenSSL's hands.
final class PrivateKey {
  let pointer: OpaquePointer

  private init(owning pointer: OpaquePointer) { self.pointer = pointer }

  deinit { EVP_PKEY_free(pointer) }

  /// A fresh key on the curve P-256, which every device accepts.
  static func generate() throws(TLSFailure) -> PrivateKey {
    guard let pointer = packhouse_generate_P256() else { throw .fromQueue(during: "making a P-256 key") }
    return PrivateKey(owning: pointer)
  }

  /// Reads the first private key of `text`. Never asks for a pass phrase.
  static func parse(_ text: PEMText, in library: LibraryContext = .shared) throws(TLSFailure) -> PrivateKey {
    let buffer = try MemoryBuffer(text.bytes)
    // Without a callback OpenSSL would ask on the terminal.
    guard
      let pointer = PEM_read_bio_PrivateKey_ex(buffer.bio, nil, { _, _, _, _ in -1 }, nil, library.handle, nil)
    else {
      _ = TLSFailure.drainQueue()
      throw text.mentionsEncryption
        ? .encryptedKey(file: text.file) : .notPEM(file: text.file, expected: "a private key")
    }
    return PrivateKey(owning: pointer)
  }

  /// The key as an unencrypted PKCS #8 block (RFC 5958). Store it with mode 0600.
  func pem() throws(TLSFailure) -> [UInt8] {
    let buffer = try MemoryBuffer()
    guard PEM_write_bio_PrivateKey(buffer.bio, pointer, nil, nil, 0, nil, nil) == 1 else {
      throw .fromQueue(during: "writing a private key")
    }
    return buffer.bytes
  }
}
