import AssetPacks
import HTTPCore
import JSONText
import PackStore
import Signatures

// `apiKeys`: public keys whose owners sign their own short-lived tokens, as for App Store Connect.
extension AdminResources {
  var apiKeyRoutes: [Route] {
    [
      Route(
        .get, "/v1/apiKeys", .admin, .filteredList, listAPIKeys,
        .lists(Self.apiKeyList, "The public keys that sign tokens")),
      Route(
        .post, "/v1/apiKeys", .admin, .optionalApp, Self.newAPIKey, createAPIKey,
        .creates(Self.apiKeyShape, "Registers a public key")),
      Route(.get, "/v1/apiKeys/{id}", .admin, .path(.apiKey), readAPIKey, .reads(Self.oneAPIKey, "One public key")),
      Route(
        .delete, "/v1/apiKeys/{id}", .admin, .path(.apiKey), revokeAPIKey,
        .deletes("Revokes a key, and with it all of its tokens")),
    ]
  }

  private static let newAPIKey = BodyShape(
    "apiKeys", Field("name", .text(1...255)), Field("role", .choice(Role.self), expected: "a role"),
    Field(
      "publicKey", .text(1...PublicKey.limit, pattern: "^-----BEGIN PUBLIC KEY-----"),
      expected: "a P-256 public key as PEM"), Field("issuer", .text(1...255)))

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

  private func listAPIKeys(_ context: RequestContext, _ scope: AppScope, _ query: Query) throws(APIFailure) -> Message {
    let page = try stored { () throws(StoreFailure) in try store.apiKeys(app: scope.id, page: query.page) }
    return list(page, query, resource)
  }

  private func readAPIKey(_ context: RequestContext, _ key: APIKeyRecord, _ query: Query) throws(APIFailure) -> Message
  {
    single(resource(key), query)
  }

  private func createAPIKey(
    _ context: RequestContext, _ scope: AppScope, _ body: (String?, Role, String, String?)
  ) throws(APIFailure) -> Message {
    let (name, role, text, issuer) = body
    let publicKey: String
    do throws(SignatureFailure) {
      publicKey = try Self.normalized(text)
    } catch {
      throw APIFailure(.valueInvalid, error.sentence, source: .pointer("/data/attributes/publicKey"))
    }
    let key = try stored { () throws(StoreFailure) in
      try store.createAPIKey(
        name: name ?? role.rawValue, role: role, app: scope.id, publicKey: publicKey, issuer: issuer,
        actor: context.actor)
    }
    return single(status: 201, resource(key))
  }

  private static func normalized(_ text: String) throws(SignatureFailure) -> String {
    let key = try PublicKey(pem: text)
    return try key.pem()
  }

  private func revokeAPIKey(_ context: RequestContext, _ key: APIKeyRecord) throws(APIFailure) -> Message {
    try stored { () throws(StoreFailure) in try store.revokeAPIKey(key.id, actor: context.actor) }
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

extension Owned<APIKeyRecord> {
  static var apiKey: Owned {
    Owned(
      kind: .apiKey, type: "apiKeys", find: { (store, id) throws(StoreFailure) in try store.apiKey(id) },
      app: { $0.appID })
  }
}
