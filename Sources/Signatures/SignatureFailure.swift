/// Why signatures cannot be checked with a key.
package enum SignatureFailure: Error, Equatable, Sendable {
  case notPEM
  /// The secret half was sent.
  case privateKey
  case notP256

  /// What was wrong, what was expected and what to do.
  package var sentence: String {
    switch self {
    case .notPEM:
      "It is not a public key; expected PEM text that begins with -----BEGIN PUBLIC KEY-----, as "
        + "openssl pkey -in KEY.p8 -pubout prints it."
    case .privateKey:
      "It is a private key, which never leaves its owner; send the public half, as "
        + "openssl pkey -in KEY.p8 -pubout prints it, and make a new pair, because this one has been sent."
    case .notP256: "The key is not on the curve P-256 (prime256v1), which ES256 needs."
    }
  }
}
