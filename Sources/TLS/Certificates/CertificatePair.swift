import COpenSSL

/// A server's certificate chain and private key, checked before anything depends on them.
package enum CertificatePair {
  /// What a check found: every fault at once, and the facts of the leaf as far as it could be read.
  package struct Report: Sendable {
    package let facts: CertificateFacts?
    package let faults: [TLSFailure]

    package var sentences: [String] { faults.map(\.sentence) }

    /// The faults that time alone neither makes nor mends.
    package var lastingFaults: [TLSFailure] { faults.filter { !$0.isAboutTime } }
  }

  /// Checks that both are PEM, belong together, are valid at `now` (seconds since 1970 UTC), have a key that devices
  /// accept and at least one subject alternative name.
  package static func check(certificate: PEMText, key: PEMText, now: Int64) -> Report {
    var faults: [TLSFailure] = []
    var leaf: Certificate?
    var privateKey: PrivateKey?
    do { leaf = try Certificate.parseAll(certificate).first } catch { faults.append(error) }
    do { privateKey = try PrivateKey.parse(key) } catch { faults.append(error) }
    if let leaf, let privateKey, X509_check_private_key(leaf.pointer, privateKey.pointer) != 1 {
      _ = TLSFailure.drainQueue()
      faults.append(.keyMismatch(certificateFile: certificate.file, keyFile: key.file))
    }
    guard let leaf else { return Report(facts: nil, faults: faults) }
    let facts = leaf.facts
    if let facts {
      if now > facts.notAfter { faults.append(.expired(file: certificate.file, at: facts.notAfter)) }
      if now < facts.notBefore { faults.append(.notYetValid(file: certificate.file, until: facts.notBefore)) }
      if facts.names.isEmpty { faults.append(.noAlternativeName(file: certificate.file)) }
    } else {
      faults.append(.notPEM(file: certificate.file, expected: "a certificate with readable dates"))
    }
    let strength = leaf.keyStrength
    if strength.bits < (strength.kind.hasPrefix("RSA") ? 2048 : 256) {
      faults.append(.weakKey(file: certificate.file, kind: strength.kind, bits: strength.bits))
    }
    return Report(facts: facts, faults: faults)
  }
}

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
