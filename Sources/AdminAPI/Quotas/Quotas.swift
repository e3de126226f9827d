import AssetPacks
import HTTPCore
import JSONText
import PackStore

// `quotas`: what may be stored, and what is.
extension AdminResources {
  var quotaRoutes: [Route] {
    [
      Route(
        .get, "/v1/quota", .viewer, readServerQuota, .reads(Self.oneQuota, "What all apps store and may store")),
      Route(.get, "/v1/apps/{id}/quota", .viewer, readQuota, .reads(Self.oneQuota, "What an app stores and may store")),
      Route(
        .patch, "/v1/apps/{id}/quota", .admin, updateQuota,
        .updates(
          Self.quotaShape, "A quota of the app's own",
          attributes: [
            ("preset", Schema.optional(Schema.choice(of: QuotaPreset.self))),
            ("limit", Schema.optional(Schema.integer(from: 0))),
            ("packLimit", Schema.optional(Schema.integer(from: 0, to: 1_000_000))),
            ("packSizeLimit", Schema.optional(Schema.integer(from: 1))), ("enforced", Schema.optional(Schema.flag)),
          ])),
    ]
  }

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

  private func readServerQuota(_ context: RequestContext) throws(APIFailure) -> Message {
    let query = try Query(context.request, Self.oneQuota)
    guard context.identity?.appID == nil else {
      throw APIFailure(.forbidden, "The token is for one app only; the server's figures tell of all apps.")
    }
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

  private func readQuota(_ context: RequestContext) throws(APIFailure) -> Message {
    let query = try Query(context.request, Self.oneQuota)
    try context.mustSee(app: context.id, "app", context.id)
    return try quota(app: context.id, query)
  }

  private func updateQuota(_ context: RequestContext) throws(APIFailure) -> Message {
    try context.mustSee(app: context.id, "app", context.id)
    guard context.identity?.appID == nil else {
      throw APIFailure(.forbidden, "The token is for one app only; quotas are set with a token for all of them.")
    }
    let usage = try stored { () throws(StoreFailure) in try store.quotaUsage(app: context.id) }
    let body = try RequestDocument(
      context.request, type: "quotas", id: context.id,
      attributes: ["preset", "limit", "packLimit", "packSizeLimit", "enforced"])
    let quota = try RequestDocument.shaped { () throws(JSONShapeFailure) in
      try Self.quota(body.attributes, over: usage.quota)
    }
    try stored(pointer: "/data/attributes/limit") { () throws(StoreFailure) in
      try store.setQuota(app: context.id, quota, actor: context.actor)
    }
    return try self.quota(app: context.id)
  }

  /// The new quota; nil takes the configuration's again. A preset brings its numbers; numbers beside it or without one
  /// make a custom quota.
  private static func quota(_ attributes: JSONObjectCursor, over current: Quota) throws(JSONShapeFailure) -> Quota? {
    var quota = current
    if let preset = attributes.present("preset") {
      if preset.value == .null { return nil }
      quota = Quota(try preset.choice(of: QuotaPreset.self))
      quota.isEnforced = current.isEnforced
    }
    let named = quota
    if let bytes = attributes.optional("limit") { quota.maximumBytes = try bytes.integer(in: 0...Int.max) }
    if let packs = attributes.optional("packLimit") { quota.maximumPacks = try packs.integer(in: 0...1_000_000) }
    if let size = attributes.present("packSizeLimit") {
      quota.maximumPackBytes = size.value == .null ? nil : try size.integer(in: 1...Int.max)
    }
    if quota != named { quota.preset = .custom }
    if let enforced = attributes.optional("enforced") { quota.isEnforced = try enforced.bool() }
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
