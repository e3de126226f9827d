import COpenSSL

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
