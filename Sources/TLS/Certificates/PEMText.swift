import COpenSSL

/// PEM text and where it came from, so that a message can name the file.
package struct PEMText: Sendable, Equatable {
  /// The path, or other words for a person.
  package let file: String
  package let bytes: [UInt8]

  package init(file: String, bytes: [UInt8]) {
    self.file = file
    self.bytes = bytes
  }

  /// Whether a block says that it needs a pass phrase (RFC 7468 section 11, or the older `Proc-Type` line).
  var mentionsEncryption: Bool {
    let word = Array("ENCRYPTED".utf8)
    guard bytes.count >= word.count else { return false }
    return bytes.indices.dropLast(word.count - 1).contains { bytes[$0...].starts(with: word) }
  }
}

/// An OpenSSL memory BIO: how PEM text goes in and out of its functions.
final class MemoryBuffer {
  let bio: OpaquePointer

  /// A buffer that holds a copy of `bytes`.
  init(_ bytes: [UInt8] = []) throws(TLSFailure) {
    guard let bio = BIO_new(BIO_s_mem()) else { throw .fromQueue(during: "making a memory buffer") }
    self.bio = bio
    guard !bytes.isEmpty else { return }
    var written = 0
    guard BIO_write_ex(bio, bytes, bytes.count, &written) == 1, written == bytes.count else {
      throw .fromQueue(during: "filling a memory buffer")
    }
  }

  deinit { BIO_free(bio) }

  /// A copy of what the buffer holds.
  var bytes: [UInt8] {
    var start: UnsafeMutablePointer<CChar>?
    let count = packhouse_BIO_get_mem_data(bio, &start)
    guard let start, count > 0 else { return [] }
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }
}

extension PEMText {
  /// The first certificate in DER form.
  package func firstCertificateDER() throws(TLSFailure) -> [UInt8] {
    guard let certificate = try Certificate.parseAll(self).first else {
      throw .notPEM(file: file, expected: "a certificate")
    }
    let length = i2d_X509(certificate.pointer, nil)
    guard length > 0 else { throw .fromQueue(during: "writing a certificate") }
    var bytes = [UInt8](repeating: 0, count: Int(length))
    let written = bytes.withUnsafeMutableBufferPointer { buffer -> Int32 in
      var position = buffer.baseAddress
      return i2d_X509(certificate.pointer, &position)
    }
    guard written == length else { throw .fromQueue(during: "writing a certificate") }
    return bytes
  }
}
