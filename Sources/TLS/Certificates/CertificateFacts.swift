/// What a person wants to know about a certificate.
package struct CertificateFacts: Sendable, Equatable {
  /// Distinguished names as RFC 2253 writes them: "CN=localhost".
  package let subject: String
  package let issuer: String
  /// The DNS names and IP addresses that it is for.
  package let names: [String]
  /// First and last valid second, in seconds since 1970 UTC.
  package let notBefore: Int64
  package let notAfter: Int64
  /// Whether it may sign other certificates.
  package let isAuthority: Bool

  /// The facts of the first certificate of `text`.
  package init(of text: PEMText) throws(TLSFailure) {
    guard let facts = try Certificate.parseAll(text).first?.facts else {
      throw .notPEM(file: text.file, expected: "a certificate with readable dates")
    }
    self = facts
  }

  init(
    subject: String, issuer: String, names: [String], notBefore: Int64, notAfter: Int64, isAuthority: Bool
  ) {
    self.subject = subject
    self.issuer = issuer
    self.names = names
    self.notBefore = notBefore
    self.notAfter = notAfter
    self.isAuthority = isAuthority
  }
}
