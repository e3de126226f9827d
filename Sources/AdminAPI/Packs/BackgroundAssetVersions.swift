import AssetPacks
import HTTPCore
import JSONText
import PackStore

// `backgroundAssetVersions`: the versions of a pack. The server numbers them.
extension AdminResources {
  var versionRoutes: [Route] {
    [
      Route(
        .get, "/v1/backgroundAssets/{id}/versions", .viewer, .path(.pack), listVersions,
        .lists(Self.versionList, "The versions of an asset pack")),
      Route(
        .post, "/v1/backgroundAssetVersions", .publisher, .body("backgroundAsset", .pack),
        BodyShape("backgroundAssetVersions"), createVersion,
        .creates(Self.versionShape, "The next version of an asset pack")),
      Route(
        .get, "/v1/backgroundAssetVersions/{id}", .viewer, .path(.version), readVersion,
        .reads(Self.oneVersion, "One version")),
    ]
  }

  private func listVersions(
    _ context: RequestContext, _ pack: PackRecord, _ query: Query
  ) throws(APIFailure) -> Message {
    let page = try stored { () throws(StoreFailure) in try store.versions(pack: pack.id, query.listing(.versions)) }
    return list(page, query, included: try included(with: page.items, query, context)) { resource($0) }
  }

  private func readVersion(
    _ context: RequestContext, _ version: VersionRecord, _ query: Query
  ) throws(APIFailure) -> Message {
    // A client that reads COMPLETE here finds the version in the internal manifest.
    if version.state == .complete, !context.isLook { dependencies.settled(version.id) }
    return single(resource(version), query, included: try included(with: [version], query, context))
  }

  private func createVersion(_ context: RequestContext, _ pack: PackRecord, _: Void) throws(APIFailure) -> Message {
    let version = try stored { () throws(StoreFailure) in try store.createVersion(pack: pack.id, actor: context.actor) }
    return single(status: 201, resource(version))
  }

  /// The resources that versions are related to, as far as the query asks for them.
  private func included(
    with versions: [VersionRecord], _ query: Query, _ context: RequestContext
  ) throws(APIFailure) -> [ResourceObject] {
    var included: [ResourceObject] = []
    if query.include.contains("backgroundAsset"), let pack = versions.first?.packID {
      included.append(resource(try stored { () throws(StoreFailure) in try store.pack(pack) }))
    }
    for track in Track.allCases where query.include.contains(track.relationshipName) {
      included += versions.compactMap { $0.release(on: track) }.map { resource($0) }
    }
    if query.include.contains("assetFile") {
      let uploads = try stored { () throws(StoreFailure) in try store.uploads(ids: versions.compactMap(\.uploadID)) }
      let byID = Dictionary(versions.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
      included += uploads.compactMap { upload in byID[upload.versionID].map { resource(upload, $0, context) } }
    }
    return included
  }

  func resource(_ version: VersionRecord) -> ResourceObject {
    let releases = Track.allCases.map { track in
      ResourceObject.Related(
        name: track.relationshipName,
        target: version.release(on: track).map { .one(type: track.releaseType, id: $0.id) } ?? .none,
        path: version.release(on: track).map { "/v1/\(track.releaseType)/\($0.id)" })
    }
    let file = ResourceObject.Related(
      name: "assetFile",
      target: version.uploadID.map { .one(type: "backgroundAssetUploadFiles", id: $0) } ?? .none,
      path: version.uploadID.map { "/v1/backgroundAssetUploadFiles/\($0)" })
    return ResourceObject(
      type: "backgroundAssetVersions", id: version.id,
      attributes: JSONObject([
        ("version", .string(String(version.number))),
        ("platforms", .array(version.platforms.map { .string($0.apiName) })),
        ("locale", .optional(version.language)), ("state", .string(version.state.rawValue)),
        ("stateDetails", Self.details(version.messages)), ("fileSize", .optionalInteger(version.fileSize)),
        ("downloadSize", .optionalInteger(version.downloadSize)),
        ("installSize", .optionalInteger(version.installSize)), ("sha256", .optional(version.sha256)),
        ("createdDate", .time(version.created)), ("collected", .bool(version.collected != nil)),
        ("internalBetaState", .optional(version.internalState?.rawValue)),
        ("externalBetaState", .optional(version.externalState?.rawValue)),
        ("appStoreState", .optional(version.productionState?.rawValue)),
      ]), relationships: [("backgroundAsset", "backgroundAssets", version.packID)],
      path: "/v1/backgroundAssetVersions/\(version.id)",
      // What App Store Connect's second file would say is inside the archive.
      related: releases + [file, ResourceObject.Related(name: "manifestFile", target: .none)])
  }

  /// `{errors, warnings, infos}`, each a list of `{code, description}`.
  static func details(_ messages: [VersionMessage]) -> JSONValue {
    func list(_ level: VersionMessage.Level) -> JSONValue {
      .array(
        messages.filter { $0.level == level }.map { message in
          ["code": .string(message.code), "description": .string(message.description)]
        })
    }
    return ["errors": list(.error), "warnings": list(.warning), "infos": list(.info)]
  }
}

extension AdminResources {
  static let versionShape = ResourceShape(
    type: "backgroundAssetVersions",
    attributes: [
      ("version", Schema.text), ("platforms", Schema.list(Schema.choice(Platform.allCases.map(\.apiName)))),
      ("locale", Schema.optional(Schema.text)), ("state", Schema.choice(of: VersionState.self)),
      ("stateDetails", stateDetails), ("fileSize", Schema.optional(Schema.integer)),
      ("downloadSize", Schema.optional(Schema.integer)), ("installSize", Schema.optional(Schema.integer)),
      ("sha256", Schema.optional(Schema.digest)), ("createdDate", Schema.date), ("collected", Schema.flag),
      ("internalBetaState", Schema.optional(Schema.choice(of: InternalBetaState.self))),
      ("externalBetaState", Schema.optional(Schema.choice(of: ExternalBetaState.self))),
      ("appStoreState", Schema.optional(Schema.choice(of: ProductionState.self))),
    ],
    relationships: [ResourceShape.Relationship(name: "backgroundAsset", type: "backgroundAssets")]
      + Track.allCases.map {
        ResourceShape.Relationship(name: $0.relationshipName, type: $0.releaseType, number: .oneOrNone)
      }
      + ["assetFile", "manifestFile"].map {
        ResourceShape.Relationship(name: $0, type: "backgroundAssetUploadFiles", number: .oneOrNone)
      })

  /// `{errors, warnings, infos}`.
  static let stateDetails = Schema.object(
    ["errors", "warnings", "infos"].map { name in
      (name, Schema.list(Schema.object([("code", Schema.text), ("description", Schema.text)])))
    })

  private static let versionIncludes =
    [QueryShape.Include(name: "backgroundAsset", resource: packShape)]
    + Track.allCases.map { QueryShape.Include(name: $0.relationshipName, resource: $0.releaseShape) }
    + ["assetFile", "manifestFile"].map { QueryShape.Include(name: $0, resource: uploadShape) }
  static let versionList = QueryShape(resource: versionShape, list: .versions, includes: versionIncludes)
  static let oneVersion = QueryShape(resource: versionShape, includes: versionIncludes)
}

extension Owned<VersionRecord> {
  static var version: Owned {
    Owned(
      kind: .version, type: "backgroundAssetVersions",
      find: { (store, id) throws(StoreFailure) in try store.version(id) }, app: { $0.appID })
  }
}
