import JSONText
import Signatures
import Values

/// A JSON Web Token (RFC 7519) as clients of App Store Connect make it: compact form, signed with ES256 (RFC 7515).
/// What it claims is read only after its signature was checked.
struct WebToken: Sendable {
  /// The longest token in bytes.
  static let limit = 4096
  /// Header and claims have nothing that is nested deeper.
  private static let json = JSONLimits(depth: 4, byteCount: limit)

  /// Which key is said to have signed it (`kid`).
  let keyID: String
  private let signedBytes: [UInt8]
  private let payload: [UInt8]
  private let signature: [UInt8]

  /// Takes the text apart and checks the header: the algorithm is ES256 and nothing else, whatever keys the header
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
