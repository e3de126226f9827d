import HTTPCore
import JSONText
import PackStore

// `backgroundAssets`: an app's asset packs.
extension AdminResources {
  var packRoutes: [Route] {
    [
      Route(
        .get, "/v1/apps/{id}/backgroundAssets", .viewer, listPacks, .lists(Self.packList, "The asset packs of an app")),
      Route(
        .post, "/v1/backgroundAssets", .publisher, createPack,
        .creates(
          Self.packShape, "A new asset pack",
          attributes: [("assetPackIdentifier", Schema.text(pattern: "^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$"))],
          required: ["assetPackIdentifier"], relationships: [("app", "apps")])),
      Route(.get, "/v1/backgroundAssets/{id}", .viewer, readPack, .reads(Self.onePack, "One asset pack")),
    ]
  }

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

  private func listPacks(_ call: Call) throws(APIFailure) -> Message {
    let query = try Query(call.request, Self.packList)
    try call.mustSee(app: call.id, "app", call.id)
    let page = try stored { () throws(StoreFailure) in
      let app = try store.app(call.id)
      return try store.packs(app: app.id, query.listing(.packs))
    }
    let related = try related(to: page.items, query)
    return list(page, query, included: related.included) { resource($0, related) }
  }

  private func readPack(_ call: Call) throws(APIFailure) -> Message {
    let query = try Query(call.request, Self.onePack)
    let pack = try stored { () throws(StoreFailure) in try store.pack(call.id) }
    try call.mustSee(app: pack.appID, "asset pack", call.id)
    let related = try related(to: [pack], query)
    return single(resource(pack, related), query, included: related.included)
  }

  private func createPack(_ call: Call) throws(APIFailure) -> Message {
    let body = try RequestDocument(
      call.request, type: "backgroundAssets", attributes: ["assetPackIdentifier"], relationships: ["app"])
    let identifier = try RequestDocument.shaped { () throws(JSONShapeFailure) in
      try body.attributes.required("assetPackIdentifier", expected: "an asset pack id").string(bytes: 1...128)
    }
    let app = try app(of: body, call)
    let pack = try stored(pointer: "/data/attributes/assetPackIdentifier") { () throws(StoreFailure) in
      try store.createPack(app: app.id, identifier: identifier, actor: call.actor)
    }
    return single(status: 201, resource(pack))
  }

  /// What the packs of an answer are related to, as far as the query asks for it.
  struct PackRelations {
    var included: [Resource] = []
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

  func resource(_ pack: PackRecord, _ relations: PackRelations = .init()) -> Resource {
    let path = "/v1/backgroundAssets/\(pack.id)"
    var versions = Resource.Related.Target.unknown
    if let found = relations.versions {
      versions = .many(
        (found[pack.id] ?? []).map { ("backgroundAssetVersions", $0.id) }, total: relations.totals[pack.id] ?? 0,
        limit: relations.limit)
    }
    func live(_ name: String, _ version: String?) -> Resource.Related {
      Resource.Related(
        name: name, target: version.map { .one(type: "backgroundAssetVersions", id: $0) } ?? .none,
        path: version.map { "/v1/backgroundAssetVersions/\($0)" })
    }
    return Resource(
      type: "backgroundAssets", id: pack.id,
      attributes: JSONObject([
        ("assetPackIdentifier", .string(pack.identifier)), ("archived", .bool(pack.archived)),
        ("createdDate", .time(pack.created)), ("usedBytes", .integer(pack.usedBytes)),
      ]), relationships: [("app", "apps", pack.appID)], path: path,
      related: [
        Resource.Related(name: "versions", target: versions, path: "\(path)/versions"),
        live("internalBetaVersion", pack.internalVersionID), live("externalBetaVersion", pack.externalVersionID),
        live("appStoreVersion", pack.productionVersionID),
      ])
  }
}
