import AssetPacks
import HTTPCore
import JSONText
import PackStore

// `backgroundAssetVersions`: the versions of a pack. The server numbers them.
extension AdminResources {
  var versionRoutes: [Route] {
    [
      Route(.get, "/v1/backgroundAssets/{id}/versions", .viewer, listVersions),
      Route(.post, "/v1/backgroundAssetVersions", .publisher, createVersion),
      Route(.get, "/v1/backgroundAssetVersions/{id}", .viewer, readVersion),
    ]
  }

  private func listVersions(_ call: Call) throws(APIFailure) -> Message {
    let query = try Query(call.request, allowing: ["filter[version]", "filter[state]", "filter[sha256]"])
    let filter = VersionFilter(
      number: try query.number("filter[version]"), state: try query.choice("filter[state]", VersionState.self),
      sha256: query["filter[sha256]"]?.lowercased())
    let pack = try stored { () throws(StoreFailure) in try store.pack(call.id) }
    try call.mustSee(app: pack.appID, "asset pack", call.id)
    let page = try stored { () throws(StoreFailure) in
      try store.versions(pack: pack.id, filter: filter, page: query.page)
    }
    return list(page, query, resource)
  }

  private func readVersion(_ call: Call) throws(APIFailure) -> Message {
    let version = try stored { () throws(StoreFailure) in try store.version(call.id) }
    try call.mustSee(app: version.appID, "version", call.id)
    // Who reads COMPLETE here finds the version in the internal manifest.
    if version.state == .complete { surroundings.settled(version.id) }
    return single(resource(version))
  }

  private func createVersion(_ call: Call) throws(APIFailure) -> Message {
    let body = try RequestDocument(
      call.request, type: "backgroundAssetVersions", relationships: ["backgroundAsset"])
    let packID = try body.related("backgroundAsset", type: "backgroundAssets")
    let pack = try storedRelated("backgroundAsset") { () throws(StoreFailure) in try store.pack(packID) }
    try call.mustSee(app: pack.appID, "asset pack", packID)
    let version = try stored { () throws(StoreFailure) in try store.createVersion(pack: pack.id, actor: call.actor) }
    return single(status: 201, resource(version))
  }

  private func resource(_ version: VersionRecord) -> Resource {
    Resource(
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
      path: "/v1/backgroundAssetVersions/\(version.id)")
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
