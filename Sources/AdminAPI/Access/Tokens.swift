import AssetPacks
import HTTPCore
import JSONText
import PackStore
import Values

// `tokens`: who may use the API. A token that is for one app manages that app's tokens only.
extension AdminResources {
  var tokenRoutes: [Route] {
    [
      Route(
        .get, "/v1/tokens", .admin, .filteredList, listTokens,
        .lists(Self.tokenList, "The tokens, without their secrets")),
      Route(
        .post, "/v1/tokens", .admin, .optionalApp, newToken, createToken,
        .creates(Self.tokenShape, "A new token; its secret is in this answer only")
      ).withSecretAnswer(),
      Route(
        .get, "/v1/tokens/{id}", .admin, .path(.token), readToken,
        .reads(Self.oneToken, "One token, without its secret")),
      Route(
        .delete, "/v1/tokens/{id}", .admin, .path(.token), revokeToken, .deletes("Revokes a token")),
      Route(
        .post, "/v1/tokens/{id}/rotation", .admin, .path(.token), Self.rotation, rotateToken,
        .creates(Self.tokenShape, "A new secret for a token; it is in this answer only", status: 200)
      ).withSecretAnswer(),
    ]
  }

  private var newToken: BodyShape<(String, Role, Int64?)> {
    let clock = signer.clock
    let expiry = ValueShape<Int64>(Schema.date) { (value) throws(JSONShapeFailure) in
      guard let time = ISO8601.parse(try value.string()), time > clock.now() else {
        throw value.outOfRange("a time in the future, such as \"2030-01-31T00:00:00Z\"")
      }
      return time
    }
    return BodyShape(
      "tokens", Field("name", .text(1...255), expected: "who it is for"),
      Field("role", .choice(Role.self), expected: "a role"), Field("expirationDate", expiry))
  }

  private static let rotation = BodyShape("tokenRotations", overlap).optional()

  /// Seconds, a number when present.
  private static let overlap = Field<Int?>("overlap", Schema.integer(from: 0, to: longestOverlap)) {
    (attributes) throws(JSONShapeFailure) in try attributes.optional("overlap")?.integer(in: 0...longestOverlap)
  }

  private static let tokenShape = ResourceShape(
    type: "tokens",
    attributes: [
      ("name", Schema.text), ("role", Schema.choice(of: Role.self)), ("createdDate", Schema.date),
      ("expirationDate", Schema.optional(Schema.date)), ("lastUsedDate", Schema.optional(Schema.date)),
      ("revokedDate", Schema.optional(Schema.date)), ("token", Schema.text),
      ("formerTokenExpirationDate", Schema.optional(Schema.date)),
    ], relationships: [ResourceShape.Relationship(name: "app", type: "apps")])

  private static let tokenList = QueryShape(
    resource: tokenShape, isPlainList: true, more: [("filter[app]", Schema.text)])
  private static let oneToken = QueryShape(resource: tokenShape)

  private func listTokens(_ context: RequestContext, _ scope: AppScope, _ query: Query) throws(APIFailure) -> Message {
    let page = try stored { () throws(StoreFailure) in try store.tokens(app: scope.id, page: query.page) }
    return list(page, query) { resource($0) }
  }

  private func readToken(_ context: RequestContext, _ token: TokenRecord, _ query: Query) throws(APIFailure) -> Message
  {
    single(resource(token), query)
  }

  private func createToken(
    _ context: RequestContext, _ scope: AppScope, _ body: (String, Role, Int64?)
  ) throws(APIFailure) -> Message {
    let (name, role, expires) = body
    let token = try stored { () throws(StoreFailure) in
      try store.createToken(name: name, role: role, app: scope.id, expires: expires, actor: context.actor)
    }
    return single(status: 201, resource(token.record, secret: token.secret))
  }

  private func revokeToken(_ context: RequestContext, _ token: TokenRecord) throws(APIFailure) -> Message {
    _ = try stored { () throws(StoreFailure) in try store.revokeToken(token.id, actor: context.actor) }
    return .nothing
  }

  private func rotateToken(
    _ context: RequestContext, _ token: TokenRecord, _ overlap: Int?
  ) throws(APIFailure) -> Message {
    let seconds = overlap.map { Int64($0) } ?? dependencies.authentication.rotationOverlap
    let (fresh, end) = try stored { () throws(StoreFailure) in
      try store.rotateToken(token.id, overlap: seconds, actor: context.actor)
    }
    return single(resource(fresh.record, secret: fresh.secret, formerExpires: .some(end)))
  }

  /// 30 days, in seconds.
  private static let longestOverlap = 30 * 86_400

  /// `formerExpires` is set only after a rotation, and nil then when the former secret ends at once.
  private func resource(
    _ token: TokenRecord, secret: String? = nil, formerExpires: Int64?? = nil
  ) -> ResourceObject {
    var attributes = JSONObject([
      ("name", .string(token.name)), ("role", .string(token.role.rawValue)), ("createdDate", .time(token.created)),
      ("expirationDate", .optionalTime(token.expires)), ("lastUsedDate", .optionalTime(token.lastUsed)),
      ("revokedDate", .optionalTime(token.revoked)),
    ])
    if let secret { attributes.set("token", .string(secret)) }
    if let formerExpires { attributes.set("formerTokenExpirationDate", .optionalTime(formerExpires)) }
    return ResourceObject(
      type: "tokens", id: token.id, attributes: attributes,
      relationships: token.appID.map { [("app", "apps", $0)] } ?? [], path: "/v1/tokens/\(token.id)",
      fleeting: ["lastUsedDate", "token", "formerTokenExpirationDate"])
  }
}

extension Message {
  /// 204, for what is gone.
  static let nothing = Message(status: 204, contentType: nil, body: [], fields: [("Cache-Control", "no-store")])
}

extension JSONValue {
  /// A time as ISO 8601 text, or null.
  static func optionalTime(_ unixSeconds: Int64?) -> JSONValue { unixSeconds.map { .time($0) } ?? .null }
}

extension Owned<TokenRecord> {
  static var token: Owned {
    Owned(
      kind: .token, type: "tokens", find: { (store, id) throws(StoreFailure) in try store.token(id) },
      app: { $0.appID })
  }
}
