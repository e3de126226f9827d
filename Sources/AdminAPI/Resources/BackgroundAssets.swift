import HTTPCore
import JSONText
import PackStore

// `backgroundAssets`: an app's asset packs.
extension AdminResources {
  var packRoutes: [Route] {
    [
      Route(.get, "/v1/apps/{id}/backgroundAssets", .viewer, listPacks),
      Route(.post, "/v1/backgroundAssets", .publisher, createPack),
      Route(.get, "/v1/backgroundAssets/{id}", .viewer, readPack),
    ]
  }

  private func listPacks(_ call: Call) throws(APIFailure) -> Message {
    let query = try Query(call.request, allowing: ["filter[assetPackIdentifier]"])
    try call.mustSee(app: call.id, "app", call.id)
    let page = try stored { () throws(StoreFailure) in
      let app = try store.app(call.id)
      return try store.packs(app: app.id, identifier: query["filter[assetPackIdentifier]"], page: query.page)
    }
    return list(page, query, resource)
  }

  private func readPack(_ call: Call) throws(APIFailure) -> Message {
    let pack = try stored { () throws(StoreFailure) in try store.pack(call.id) }
    try call.mustSee(app: pack.appID, "asset pack", call.id)
    return single(resource(pack))
  }

  private func createPack(_ call: Call) throws(APIFailure) -> Message {
    let body = try RequestDocument(
      call.request, type: "backgroundAssets", attributes: ["assetPackIdentifier"], relationships: ["app"])
    let identifier = try RequestDocument.shaped { () throws(JSONShapeFailure) in
      try body.attributes.required("assetPackIdentifier", expected: "an asset pack id").string(bytes: 1...128)
    }
    let appID = try body.related("app", type: "apps")
    try call.mustSee(app: appID, "app", appID)
    let app = try storedRelated("app") { () throws(StoreFailure) in try store.app(appID) }
    let pack = try stored(pointer: "/data/attributes/assetPackIdentifier") { () throws(StoreFailure) in
      try store.createPack(app: app.id, identifier: identifier, actor: call.actor)
    }
    return single(status: 201, resource(pack))
  }

  func resource(_ pack: PackRecord) -> Resource {
    Resource(
      type: "backgroundAssets", id: pack.id,
      attributes: JSONObject([
        ("assetPackIdentifier", .string(pack.identifier)), ("archived", .bool(pack.archived)),
        ("createdDate", .time(pack.created)), ("usedBytes", .integer(pack.usedBytes)),
      ]), relationships: [("app", "apps", pack.appID)], path: "/v1/backgroundAssets/\(pack.id)")
  }
}
