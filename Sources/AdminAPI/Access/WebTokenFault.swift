/// Why a JSON Web Token is not accepted.
enum WebTokenFault: Error, Equatable, Sendable {
  case tooLong
  case notBase64
  /// `header` or `payload`.
  case notJSON(String)
  case algorithm
  /// A member is missing, of the wrong type, or means something that is not understood.
  case field(String)
  case unknownKey(String)
  case signature
  case fromTheFuture
  case lifetime
  case expired
  case audience(String)
  case issuer

  /// What was wrong and what was expected.
  var sentence: String {
    switch self {
    case .tooLong: "The signed token is longer than \(WebToken.limit) bytes."
    case .notBase64: "The signed token is not three parts of base64url without padding, with dots between them."
    case .notJSON(let part): "The \(part) of the signed token is not a JSON object."
    case .algorithm: "The signed token's alg must be ES256."
    case .field(let name): "The signed token's \(name) is missing or not usable; see docs/api.md for what it must have."
    case .unknownKey(let id): "No good API key has the id \(id); it is not known or was revoked."
    case .signature: "The signature is not one of the API key that the signed token names."
    case .fromTheFuture: "The signed token is from the future (iat or nbf); check the client's clock."
    case .lifetime: "The signed token's exp must be after its iat by at most 20 minutes."
    case .expired: "The signed token has expired; sign a new one."
    case .audience(let expected): "The signed token's aud must be \(expected)."
    case .issuer: "The signed token's iss is not the one that the API key was registered with."
    }
  }
}
