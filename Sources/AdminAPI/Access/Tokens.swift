import AssetPacks
import HTTPCore
import JSONText
import PackStore

// `tokens`: who may use the API. A token that is for one app manages that app's tokens only.
extension AdminResources {
  var tokenRoutes: [Route] {
    [
      Route(.get, "/v1/tokens", .admin, listTokens, .lists(Self.tokenList, "The tokens, without their secrets")),
      Route(
        .post, "/v1/tokens", .admin, createToken,
        .creates(
          Self.tokenShape, "A new token; its secret is in this answer only",
          attributes: [
            ("name", Schema.text(1...255)), ("role", Schema.choice(of: Role.self)),
            ("expirationDate", Schema.optional(Schema.date)),
          ], required: ["name", "role"], optional: [("app", "apps")])
      ).withSecretAnswer(),
      Route(.get, "/v1/tokens/{id}", .admin, readToken, .reads(Self.oneToken, "One token, without its secret")),
      Route(.delete, "/v1/tokens/{id}", .admin, revokeToken, .deletes("Makes a token worthless at once")),
      Route(.post, "/v1/tokens/{id}/rotation", .admin, rotateToken, Self.rotation).withSecretAnswer(),
    ]
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

  private static let rotation = RouteDocumentation(
    summary: "A new secret for a token; it is in this answer only",
    body: Schema.object([
      (
        "data",
        Schema.object(
          [
            ("type", ["const": "tokenRotations"]),
            (
              "attributes",
              Schema.object([("overlap", Schema.integer(from: 0, to: Self.longestOverlap))], required: [])
            ),
          ], required: ["type"])
      )
    ]), answer: Schema.object([("data", Schema.reference("tokens")), ("links", Schema.anyObject)]),
    resources: [tokenShape], hasEntityTag: true)

  private func listTokens(_ context: RequestContext) throws(APIFailure) -> Message {
    let query = try Query(context.request, Self.tokenList)
    let app = try context.wantedApp(query)
    let page = try stored { () throws(StoreFailure) in try store.tokens(app: app, page: query.page) }
    return list(page, query) { resource($0) }
  }

  private func readToken(_ context: RequestContext) throws(APIFailure) -> Message {
    let query = try Query(context.request, Self.oneToken)
    return single(resource(try seenToken(context)), query)
  }

  private func seenToken(_ context: RequestContext) throws(APIFailure) -> TokenRecord {
    let token = try stored { () throws(StoreFailure) in try store.token(context.id) }
    try context.mustOwn(app: token.appID, "token", context.id)
    return token
  }

  private func createToken(_ context: RequestContext) throws(APIFailure) -> Message {
    let body = try RequestDocument(
      context.request, type: "tokens", attributes: ["name", "role", "expirationDate"], relationships: ["app"])
    let (name, role, expires) = try RequestDocument.shaped { () throws(JSONShapeFailure) in
      (
        try body.attributes.required("name", expected: "who it is for").string(bytes: 1...255),
        try body.attributes.required("role", expected: "a role").choice(of: Role.self),
        try body.attributes.optional("expirationDate").map { (value) throws(JSONShapeFailure) in
          guard let time = ISO8601.parse(try value.string()), time > signer.clock.now() else {
            throw value.outOfRange("a time in the future, such as \"2030-01-31T00:00:00Z\"")
          }
          return time
        }
      )
    }
    let app = try context.optionalApp(body, store: store)
    let token = try stored { () throws(StoreFailure) in
      try store.createToken(name: name, role: role, app: app, expires: expires, actor: context.actor)
    }
    return single(status: 201, resource(token.record, secret: token.secret))
  }

  private func revokeToken(_ context: RequestContext) throws(APIFailure) -> Message {
    _ = try seenToken(context)
    _ = try stored { () throws(StoreFailure) in try store.revokeToken(context.id, actor: context.actor) }
    return .nothing
  }

  private func rotateToken(_ context: RequestContext) throws(APIFailure) -> Message {
    let token = try seenToken(context)
    var overlap = dependencies.authentication.rotationOverlap
    if !context.request.body.isEmpty {
      let body = try RequestDocument(context.request, type: "tokenRotations", attributes: ["overlap"])
      let given = try RequestDocument.shaped { () throws(JSONShapeFailure) in
        try body.attributes.optional("overlap")?.integer(in: 0...Self.longestOverlap)
      }
      if let given { overlap = Int64(given) }
    }
    let (fresh, end) = try stored { () throws(StoreFailure) in
      try store.rotateToken(token.id, overlap: overlap, actor: context.actor)
    }
    return single(resource(fresh.record, secret: fresh.secret, formerExpires: .some(end)))
  }

  /// 30 days, in seconds.
  private static let longestOverlap = 30 * 86_400

  /// `formerExpires` is there after a rotation only, and nil then when the former secret is worthless at once.
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
