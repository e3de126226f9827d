import COpenSSL

/// A key pair of a test, made by OpenSSL.
package final class SigningKey {
  package enum Kind { case P256, P384, RSA, Ed25519 }

  package let pointer: OpaquePointer

  package init(_ kind: Kind = .P256) throws {
    var made: OpaquePointer?
    switch kind {
    case .P256: made = packhouse_generate_P256()
    default:
      let context = EVP_PKEY_CTX_new_from_name(
        nil, kind == .P384 ? "EC" : kind == .RSA ? "RSA" : "ED25519", nil)
      defer { EVP_PKEY_CTX_free(context) }
      EVP_PKEY_keygen_init(context)
      if kind == .P384 { EVP_PKEY_CTX_set_group_name(context, "P-384") }
      EVP_PKEY_generate(context, &made)
    }
    guard let made else { throw Missing() }
    pointer = made
  }

  package struct Missing: Error {}

  deinit { EVP_PKEY_free(pointer) }

  package var publicPEM: String { text { PEM_write_bio_PUBKEY($0, pointer) } }
  package var privatePEM: String { text { PEM_write_bio_PrivateKey($0, pointer, nil, nil, 0, nil, nil) } }

  private func text(_ write: (OpaquePointer?) -> Int32) -> String {
    let bio = BIO_new(BIO_s_mem())
    defer { BIO_free(bio) }
    _ = write(bio)
    var start: UnsafeMutablePointer<CChar>?
    let count = packhouse_BIO_get_mem_data(bio, &start)
    guard let start, count > 0 else { return "" }
    return String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// A signature over the SHA-256 of `message` in OpenSSL's form.
  package func signDER(_ message: [UInt8]) -> [UInt8] {
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    var count = 512
    var signature = [UInt8](repeating: 0, count: count)
    EVP_DigestSignInit(context, nil, EVP_sha256(), nil, pointer)
    EVP_DigestSign(context, &signature, &count, message, message.count)
    return Array(signature[..<count])
  }

  /// The same as r and s, 32 bytes each.
  package func sign(_ message: [UInt8]) -> [UInt8] {
    let der = signDER(message)
    func number(at place: Int) -> (bytes: [UInt8], next: Int) {
      let length = Int(der[place + 1])
      let digits = Array(der[(place + 2)..<(place + 2 + length)].drop { $0 == 0 })
      return (Array(repeating: 0, count: 32 - digits.count) + digits, place + 2 + length)
    }
    let r = number(at: 2)
    return r.bytes + number(at: r.next).bytes
  }
}
