import COpenSSL

/// What a listener is to present: its certificates, and whom it lets in.
package struct ServerCertificates: Sendable {
  /// A chain (leaf first) and the leaf's private key.
  package struct Pair: Sendable {
    package let certificate: PEMText
    package let key: PEMText

    package init(certificate: PEMText, key: PEMText) {
      self.certificate = certificate
      self.key = key
    }
  }

  /// The first is for clients that ask for no name, or for one that no certificate has.
  package var pairs: [Pair]
  /// Authorities one of which must have signed each client's certificate; nil lets everybody in.
  package var clientAuthority: PEMText?

  package init(_ pairs: [Pair], clientAuthority: PEMText? = nil) {
    self.pairs = pairs
    self.clientAuthority = clientAuthority
  }
}
