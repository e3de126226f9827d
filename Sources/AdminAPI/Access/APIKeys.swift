import AssetPacks
import HTTPCore
import JSONText
import PackStore
import Signatures

// `apiKeys`: public keys whose owners sign their own short-lived tokens, as for App Store Connect.
extension AdminResources {
  var apiKeyRoutes: [Route] {
    [
      Route(.get, "/v1/apiKeys", .admin, listAPIKeys, .lists(Self.apiKeyList, "The public keys that sign tokens")),
      Route(
        .post, "/v1/apiKeys", .admin, createAPIKey,
        .creates(
          Self.apiKeyShape, "Registers a public key",
          attributes: [
            ("name", Schema.optional(Schema.text(1...255))), ("role", Schema.choice(of: Role.self)),
            ("publicKey", Schema.text(pattern: "^-----BEGIN PUBLIC KEY-----")),
            ("issuer", Schema.optional(Schema.text(1...255))),
          ], required: ["role", "publicKey"], optional: [("app", "apps")])),
      Route(.get, "/v1/apiKeys/{id}", .admin, readAPIKey, .reads(Self.oneAPIKey, "One public key")),
      Route(.delete, "/v1/apiKeys/{id}", .admin, revokeAPIKey, .deletes("Makes all tokens of a key worthless at once")),
    ]
  }

  private static let apiKeyShape = ResourceShape(
    type: "apiKeys",
    attributes: [
      ("name", Schema.text), ("role", Schema.choice(of: Role.self)), ("publicKey", Schema.text),
      ("issuer", Schema.optional(Schema.text)), ("createdDate", Schema.date),
      ("lastUsedDate", Schema.optional(Schema.date)), ("revokedDate", Schema.optional(Schema.date)),
    ], relationships: [ResourceShape.Relationship(name: "app", type: "apps")])

  private static let apiKeyList = QueryShape(
    resource: apiKeyShape, isPlainList: true, more: [("filter[app]", Schema.text)])
  private static let oneAPIKey = QueryShape(resource: apiKeyShape)

  private func listAPIKeys(_ context: RequestContext) throws(APIFailure) -> Message {
    let query = try Query(context.request, Self.apiKeyList)
    let app = try context.wantedApp(query)
    let page = try stored { () throws(StoreFailure) in try store.apiKeys(app: app, page: query.page) }
    return list(page, query, resource)
  }

  private func readAPIKey(_ context: RequestContext) throws(APIFailure) -> Message {
    let query = try Query(context.request, Self.oneAPIKey)
    return single(resource(try seenAPIKey(context)), query)
  }

  private func seenAPIKey(_ context: RequestContext) throws(APIFailure) -> APIKeyRecord {
    let key = try stored { () throws(StoreFailure) in try store.apiKey(context.id) }
    try context.mustOwn(app: key.appID, "API key", context.id)
    return key
  }

  private func createAPIKey(_ context: RequestContext) throws(APIFailure) -> Message {
    let body = try RequestDocument(
      context.request, type: "apiKeys", attributes: ["name", "role", "publicKey", "issuer"], relationships: ["app"])
    let (role, text, name, issuer) = try RequestDocument.shaped { () throws(JSONShapeFailure) in
      (
        try body.attributes.required("role", expected: "a role").choice(of: Role.self),
        try body.attributes.required("publicKey", expected: "a P-256 public key as PEM").string(
          bytes: 1...PublicKey.limit),
        try body.attributes.optional("name")?.string(bytes: 1...255),
        try body.attributes.optional("issuer")?.string(bytes: 1...255)
      )
    }
    let app = try context.optionalApp(body, store: store)
    let publicKey: String
    do throws(SignatureFailure) {
      publicKey = try Self.normalized(text)
    } catch {
      throw APIFailure(.valueInvalid, error.sentence, source: .pointer("/data/attributes/publicKey"))
    }
    let key = try stored { () throws(StoreFailure) in
      try store.createAPIKey(
        name: name ?? role.rawValue, role: role, app: app, publicKey: publicKey, issuer: issuer, actor: context.actor)
    }
    return single(status: 201, resource(key))
  }

  private static func normalized(_ text: String) throws(SignatureFailure) -> String {
    let key = try PublicKey(pem: text)
    return try key.pem()
  }

  private func revokeAPIKey(_ context: RequestContext) throws(APIFailure) -> Message {
    _ = try seenAPIKey(context)
    try stored { () throws(StoreFailure) in try store.revokeAPIKey(context.id, actor: context.actor) }
    return .nothing
  }

  private func resource(_ key: APIKeyRecord) -> ResourceObject {
    ResourceObject(
      type: "apiKeys", id: key.id,
      attributes: JSONObject([
        ("name", .string(key.name)), ("role", .string(key.role.rawValue)), ("publicKey", .string(key.publicKey)),
        ("issuer", .optional(key.issuer)), ("createdDate", .time(key.created)),
        ("lastUsedDate", .optionalTime(key.lastUsed)), ("revokedDate", .optionalTime(key.revoked)),
      ]), relationships: key.appID.map { [("app", "apps", $0)] } ?? [], path: "/v1/apiKeys/\(key.id)",
      fleeting: ["lastUsedDate"])
  }
}
