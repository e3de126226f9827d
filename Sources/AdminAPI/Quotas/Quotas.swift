import AssetPacks
import HTTPCore
import JSONText
import PackStore

// `quotas`: what may be stored, and what is stored.
extension AdminResources {
  var quotaRoutes: [Route] {
    [
      Route(
        .get, "/v1/quota", .viewer, .server("The token is for one app only; the server's figures cover all apps."),
        readServerQuota, .reads(Self.oneQuota, "What all apps store and may store")),
      Route(
        .get, "/v1/apps/{id}/quota", .viewer, .path(.app), readQuota,
        .reads(Self.oneQuota, "What an app stores and may store")),
      Route(
        .patch, "/v1/apps/{id}/quota", .admin,
        .path(.app, serverOnly: "The token is for one app only; quotas are set with a token for all of them."),
        Self.quotaChange, updateQuota, .updates(Self.quotaShape, "A quota of the app's own")),
    ]
  }

  private static let quotaChange = BodyShape(
    "quotas", Field(orNull: "preset", .choice(QuotaPreset.self)), Field("limit", .integer(0...Int.max)),
    Field("packLimit", .integer(0...1_000_000)), Field(orNull: "packSizeLimit", .integer(1...Int.max)),
    Field("enforced", .flag))

  /// Of an app or of the server; each has those attributes that make sense there.
  private static let quotaShape = ResourceShape(
    type: "quotas",
    attributes: [
      ("preset", Schema.choice(of: QuotaPreset.self)), ("isOwn", Schema.flag), ("enforced", Schema.flag),
      ("limit", Schema.optional(Schema.integer)), ("used", Schema.integer), ("reserved", Schema.integer),
      ("free", Schema.optional(Schema.integer)), ("reclaimable", Schema.integer), ("stored", Schema.integer),
      ("warningThreshold", Schema.optional(Schema.integer)), ("isNearlyFull", Schema.flag), ("apps", Schema.integer),
      ("packs", Schema.integer), ("packLimit", Schema.integer), ("packSizeLimit", Schema.optional(Schema.integer)),
    ], relationships: [ResourceShape.Relationship(name: "app", type: "apps")])

  private static let oneQuota = QueryShape(resource: quotaShape)

  /// What changes without anybody changing the quota.
  private static let fleeting = ["used", "reserved", "free", "reclaimable", "stored", "isNearlyFull", "apps", "packs"]

  private func readServerQuota(_ context: RequestContext, _: Void, _ query: Query) throws(APIFailure) -> Message {
    let usage = try stored { () throws(StoreFailure) in try store.serverUsage() }
    let limit = usage.limit
    let free = limit.map { max(0, $0 - usage.used - usage.reserved) }
    return single(
      ResourceObject(
        type: "quotas", id: "server",
        attributes: JSONObject([
          ("limit", .optionalInteger(limit)), ("used", .integer(usage.used)), ("reserved", .integer(usage.reserved)),
          ("free", .optionalInteger(free)), ("reclaimable", .integer(usage.reclaimable)),
          ("stored", .integer(usage.stored)),
          ("warningThreshold", .optionalInteger(limit.map { Int64(Quota.warningBytes(of: Int(clamping: $0))) })),
          ("apps", .integer(usage.apps)), ("packs", .integer(usage.packs)),
        ]), path: "/v1/quota", fleeting: Self.fleeting), query)
  }

  private func readQuota(_ context: RequestContext, _ app: AppRecord, _ query: Query) throws(APIFailure) -> Message {
    try quota(app: app.id, query)
  }

  private func updateQuota(_ context: RequestContext, _ app: AppRecord, _ body: QuotaFields) throws(APIFailure)
    -> Message
  {
    let usage = try stored { () throws(StoreFailure) in try store.quotaUsage(app: app.id) }
    try stored(pointer: "/data/attributes/limit") { () throws(StoreFailure) in
      try store.setQuota(app: app.id, Self.quota(body, over: usage.quota), actor: context.actor)
    }
    return try quota(app: app.id)
  }

  /// What a body says: the preset, bytes, packs, bytes of a pack, and whether it is enforced.
  private typealias QuotaFields = (QuotaPreset??, Int?, Int?, Int??, Bool?)

  /// The new quota; nil takes the configuration's again. A preset brings its numbers; numbers beside it or without one
  /// make a custom quota.
  private static func quota(_ fields: QuotaFields, over current: Quota) -> Quota? {
    let (preset, bytes, packs, packBytes, enforced) = fields
    var quota = current
    if let preset {
      guard let preset else { return nil }
      quota = Quota(preset)
      quota.isEnforced = current.isEnforced
    }
    let named = quota
    if let bytes { quota.maximumBytes = bytes }
    if let packs { quota.maximumPacks = packs }
    if let packBytes { quota.maximumPackBytes = packBytes }
    if quota != named { quota.preset = .custom }
    if let enforced { quota.isEnforced = enforced }
    return quota
  }

  private func quota(app id: String, _ query: Query? = nil) throws(APIFailure) -> Message {
    let usage = try stored { () throws(StoreFailure) in try store.quotaUsage(app: id) }
    let quota = usage.quota
    let free = max(0, Int64(quota.maximumBytes) - usage.used - usage.reserved)
    return single(
      ResourceObject(
        type: "quotas", id: id,
        attributes: JSONObject([
          ("preset", .string(quota.preset.rawValue)), ("isOwn", .bool(usage.isOwn)),
          ("enforced", .bool(quota.isEnforced)), ("limit", .integer(quota.maximumBytes)),
          ("used", .integer(usage.used)), ("reserved", .integer(usage.reserved)), ("free", .integer(free)),
          ("reclaimable", .integer(usage.reclaimable)), ("stored", .integer(usage.stored)),
          ("warningThreshold", .integer(Quota.warningBytes(of: quota.maximumBytes))),
          ("isNearlyFull", .bool(quota.isNearlyFull(used: Int(clamping: usage.used)))),
          ("packs", .integer(usage.packs)), ("packLimit", .integer(quota.maximumPacks)),
          ("packSizeLimit", .optionalInteger(quota.maximumPackBytes.map { Int64($0) })),
        ]), relationships: [("app", "apps", id)], path: "/v1/apps/\(id)/quota", fleeting: Self.fleeting),
      query)
  }
}
