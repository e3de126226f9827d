import JSONText
import Signatures
import Values

/// A JSON Web Token (RFC 7519) as clients of App Store Connect make it: compact form, signed with ES256 (RFC 7515).
/// Its claims are read only after its signature was checked.
struct WebToken: Sendable {
  /// The longest token in bytes.
  static let limit = 4096
  /// Header and claims are never nested deeper.
  private static let json = JSONLimits(depth: 4, byteCount: limit)

  /// The key that it says it was signed with (`kid`).
  let keyID: String
  private let signedBytes: [UInt8]
  private let payload: [UInt8]
  private let signature: [UInt8]

  /// Splits the text and checks the header: the algorithm is ES256 and nothing else, whatever keys the header
  /// names beside `kid` are not looked at.
  init(_ text: String) throws(WebTokenFault) {
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.limit else { throw .tooLong }
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]),
      let signature = Base64URL.decode(parts[2])
    else { throw .notBase64 }
    let fields = try Self.object(header, "header")
    guard fields["alg"]?.string == "ES256" else { throw .algorithm }
    // Extensions that must be understood are not (RFC 7515 section 4.1.11).
    guard fields["crit"] == nil else { throw .field("crit") }
    if let type = fields["typ"] {
      guard type.string?.lowercased() == "jwt" else { throw .field("typ") }
    }
    guard let keyID = fields["kid"]?.string, (1...64).contains(keyID.utf8.count) else { throw .field("kid") }
    guard signature.count == 64 else { throw .signature }
    self.keyID = keyID
    self.payload = payload
    self.signature = signature
    signedBytes = Array(bytes[..<(parts[0].count + 1 + parts[1].count)])
  }

  /// What the token claims, when its signature is one of `key`.
  func claims(signedBy key: PublicKey) throws(WebTokenFault) -> WebTokenClaims {
    guard key.verifies(signature: signature, over: signedBytes) else { throw .signature }
    return try WebTokenClaims(try Self.object(payload, "payload"))
  }

  private static func object(_ bytes: [UInt8], _ part: String) throws(WebTokenFault) -> JSONObject {
    guard let object = try? JSONParser.parse(bytes, dialect: .strict, limits: json).root.object else {
      throw .notJSON(part)
    }
    return object
  }
}

/// Why a JSON Web Token is not accepted.
enum WebTokenFault: Error, Equatable, Sendable {
  case tooLong
  case notBase64
  /// `header` or `payload`.
  case notJSON(String)
  case algorithm
  /// A member is missing, of the wrong type, or has a meaning that is not supported.
  case field(String)
  case unknownKey(String)
  case signature
  case fromTheFuture
  case lifetime
  case expired
  case audience(String)
  case issuer

  /// What is wrong and what was expected.
  var sentence: String {
    switch self {
    case .tooLong: "The signed token is longer than \(WebToken.limit) bytes."
    case .notBase64: "The signed token is not three parts of base64url without padding, with dots between them."
    case .notJSON(let part): "The \(part) of the signed token is not a JSON object."
    case .algorithm: "The signed token's alg must be ES256."
    case .field(let name): "The signed token's \(name) is missing or invalid; see docs/api.md for what it must be."
    case .unknownKey(let id): "No valid API key has the id \(id); it is unknown or was revoked."
    case .signature: "The signature does not match the API key that the signed token names."
    case .fromTheFuture: "The signed token is from the future (iat or nbf); check the client's clock."
    case .lifetime: "The signed token's exp must be after its iat by at most 20 minutes."
    case .expired: "The signed token has expired; sign a new one."
    case .audience(let expected): "The signed token's aud must be \(expected)."
    case .issuer: "The signed token's iss is not the one that the API key was registered with."
    }
  }
}
