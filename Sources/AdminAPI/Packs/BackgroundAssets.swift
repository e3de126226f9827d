import HTTPCore
import JSONText
import PackStore

// `backgroundAssets`: an app's asset packs.
extension AdminResources {
  var packRoutes: [Route] {
    [
      Route(
        .get, "/v1/apps/{id}/backgroundAssets", .viewer, .path(.app), listPacks,
        .lists(Self.packList, "The asset packs of an app")),
      Route(
        .post, "/v1/backgroundAssets", .publisher, .body("app", .app), Self.newPack, createPack,
        .creates(Self.packShape, "A new asset pack")),
      Route(
        .get, "/v1/backgroundAssets/{id}", .viewer, .path(.pack), readPack, .reads(Self.onePack, "One asset pack")),
      Route(
        .patch, "/v1/backgroundAssets/{id}", .publisher, .path(.pack), Self.packChange, updatePack,
        .updates(Self.packShape, "Archives an asset pack, or restores it")),
    ]
  }

  private static let newPack = BodyShape(
    "backgroundAssets",
    Field(
      "assetPackIdentifier", .text(1...128, pattern: "^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$"),
      expected: "an asset pack id"))
  private static let packChange = BodyShape(
    "backgroundAssets", Field("archived", .flag, expected: "true or false"), .confirmedRemovals,
    Field("reason", .text(1...1000)))

  static let packShape = ResourceShape(
    type: "backgroundAssets",
    attributes: [
      ("assetPackIdentifier", Schema.text), ("archived", Schema.flag), ("createdDate", Schema.date),
      ("usedBytes", Schema.integer),
    ],
    relationships: [
      ResourceShape.Relationship(name: "app", type: "apps"),
      ResourceShape.Relationship(name: "versions", type: "backgroundAssetVersions", number: .many),
      ResourceShape.Relationship(name: "internalBetaVersion", type: "backgroundAssetVersions", number: .oneOrNone),
      ResourceShape.Relationship(name: "externalBetaVersion", type: "backgroundAssetVersions", number: .oneOrNone),
      ResourceShape.Relationship(name: "appStoreVersion", type: "backgroundAssetVersions", number: .oneOrNone),
    ])

  private static let packIncludes = [
    QueryShape.Include(name: "app", resource: appShape),
    QueryShape.Include(name: "versions", resource: versionShape, limit: (most: 50, usual: 10)),
    QueryShape.Include(name: "internalBetaVersion", resource: versionShape),
    QueryShape.Include(name: "externalBetaVersion", resource: versionShape),
    QueryShape.Include(name: "appStoreVersion", resource: versionShape),
  ]
  private static let packList = QueryShape(resource: packShape, list: .packs, includes: packIncludes)
  private static let onePack = QueryShape(resource: packShape, includes: packIncludes)

  private func listPacks(_ context: RequestContext, _ app: AppRecord, _ query: Query) throws(APIFailure) -> Message {
    let page = try stored { () throws(StoreFailure) in try store.packs(app: app.id, query.listing(.packs)) }
    let related = try related(to: page.items, query)
    return list(page, query, included: related.included) { resource($0, related) }
  }

  private func readPack(_ context: RequestContext, _ pack: PackRecord, _ query: Query) throws(APIFailure) -> Message {
    let related = try related(to: [pack], query)
    return single(resource(pack, related), query, included: related.included)
  }

  private func createPack(
    _ context: RequestContext, _ app: AppRecord, _ identifier: String
  ) throws(APIFailure) -> Message {
    let pack = try stored(pointer: "/data/attributes/assetPackIdentifier") { () throws(StoreFailure) in
      try store.createPack(app: app.id, identifier: identifier, actor: context.actor)
    }
    return single(status: 201, resource(pack))
  }

  /// Archives packs, and restores them while their bytes exist.
  private func updatePack(
    _ context: RequestContext, _ pack: PackRecord, _ body: (Bool, Set<String>, String?)
  ) throws(APIFailure) -> Message {
    let (archived, confirmed, reason) = body
    let changed = try stored(pointer: "/data/attributes/archived") { () throws(StoreFailure) in
      archived
        ? try store.archivePack(pack.id, confirmedRemovals: confirmed, actor: context.actor, reason: reason)
        : try store.restorePack(pack.id, actor: context.actor, reason: reason)
    }
    return single(resource(changed))
  }

  /// The resources that the packs of an answer are related to, as far as the query asks for them.
  struct PackRelations {
    var included: [ResourceObject] = []
    /// The versions of each pack; nil when nobody asked.
    var versions: [String: [VersionRecord]]?
    var totals: [String: Int] = [:]
    var limit = 0
  }

  private func related(to packs: [PackRecord], _ query: Query) throws(APIFailure) -> PackRelations {
    var relations = PackRelations()
    if query.include.contains("app"), let id = packs.first?.appID {
      relations.included.append(resource(try stored { () throws(StoreFailure) in try store.app(id) }))
    }
    if query.include.contains("versions") {
      relations.limit = query.limit(of: "versions")
      let found = try stored { () throws(StoreFailure) in
        try store.newestVersions(packs: packs.map(\.id), limit: relations.limit)
      }
      relations.versions = Dictionary(grouping: found.versions, by: \.packID)
      relations.totals = found.totals
      relations.included += found.versions.map { resource($0) }
    }
    var live: [String] = []
    if query.include.contains("internalBetaVersion") { live += packs.compactMap(\.internalVersionID) }
    if query.include.contains("externalBetaVersion") { live += packs.compactMap(\.externalVersionID) }
    if query.include.contains("appStoreVersion") { live += packs.compactMap(\.productionVersionID) }
    if !live.isEmpty {
      relations.included += try stored { () throws(StoreFailure) in try store.versions(ids: live) }.map { resource($0) }
    }
    return relations
  }

  func resource(_ pack: PackRecord, _ relations: PackRelations = .init()) -> ResourceObject {
    let path = "/v1/backgroundAssets/\(pack.id)"
    var versions = ResourceObject.Related.Target.unknown
    if let found = relations.versions {
      versions = .many(
        (found[pack.id] ?? []).map { ("backgroundAssetVersions", $0.id) }, total: relations.totals[pack.id] ?? 0,
        limit: relations.limit)
    }
    func live(_ name: String, _ version: String?) -> ResourceObject.Related {
      ResourceObject.Related(
        name: name, target: version.map { .one(type: "backgroundAssetVersions", id: $0) } ?? .none,
        path: version.map { "/v1/backgroundAssetVersions/\($0)" })
    }
    return ResourceObject(
      type: "backgroundAssets", id: pack.id,
      attributes: JSONObject([
        ("assetPackIdentifier", .string(pack.identifier)), ("archived", .bool(pack.archived)),
        ("createdDate", .time(pack.created)), ("usedBytes", .integer(pack.usedBytes)),
      ]), relationships: [("app", "apps", pack.appID)], path: path,
      related: [
        ResourceObject.Related(name: "versions", target: versions, path: "\(path)/versions"),
        live("internalBetaVersion", pack.internalVersionID), live("externalBetaVersion", pack.externalVersionID),
        live("appStoreVersion", pack.productionVersionID),
      ])
  }
}

extension Owned<PackRecord> {
  static var pack: Owned {
    Owned(
      kind: .pack, type: "backgroundAssets", find: { (store, id) throws(StoreFailure) in try store.pack(id) },
      app: { $0.appID })
  }
}
