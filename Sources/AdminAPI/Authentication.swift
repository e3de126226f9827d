import AssetPacks
import HTTPCore
import PackStore

/// Bearer tokens (RFC 6750): who is it, and may they?
struct Authentication: Sendable {
  let store: PackStore

  /// The identity behind the request's token, whose role must include `needed`.
  func admit(_ request: OwnedRequest, needed: Role) throws(APIFailure) -> TokenIdentity {
    guard let field = request.field("Authorization") else {
      throw Self.refused(
        "No token was sent; send Authorization: Bearer TOKEN.", challenge: "Bearer realm=\"packhouse\"")
    }
    let words = field.split(separator: " ", omittingEmptySubsequences: true)
    guard words.count == 2, words[0].lowercased() == "bearer" else {
      throw Self.refused(
        "The Authorization field is not of the form Bearer TOKEN.",
        challenge: "Bearer realm=\"packhouse\", error=\"invalid_request\"")
    }
    let identity: TokenIdentity?
    do throws(StoreFailure) {
      identity = try store.verifyToken(String(words[1]))
    } catch {
      throw APIFailure(error)
    }
    guard let identity else {
      throw Self.refused(
        "The token is not known, has expired or was revoked; make a new one with packhouse token create.",
        challenge: "Bearer realm=\"packhouse\", error=\"invalid_token\"")
    }
    guard identity.role.includes(needed) else {
      throw APIFailure(
        .forbidden, "The token \(identity.name) has the role \(identity.role.rawValue); this needs \(needed.rawValue).")
    }
    return identity
  }

  private static func refused(_ detail: String, challenge: String) -> APIFailure {
    APIFailure(.unauthenticated, detail, fields: [("WWW-Authenticate", challenge)])
  }
}
