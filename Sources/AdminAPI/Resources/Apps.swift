import AssetPacks
import HTTPCore
import JSONText
import PackStore

// `apps`: whose packs are delivered, by which rules.
extension AdminResources {
  var appRoutes: [Route] {
    [
      Route(.get, "/v1/apps", .viewer, listApps),
      Route(.post, "/v1/apps", .admin, createApp),
      Route(.get, "/v1/apps/{id}", .viewer, readApp),
      Route(.patch, "/v1/apps/{id}", .admin, updateApp),
    ]
  }

  private func listApps(_ call: Call) throws(APIFailure) -> Message {
    let query = try Query(call.request, allowing: ["filter[bundleId]"])
    if let only = call.identity?.appID {
      let app = try stored { () throws(StoreFailure) in try store.app(only) }
      let isWanted = query["filter[bundleId]"].map { $0 == app.bundleID } ?? true
      return list(Page(only: isWanted ? [app] : []), query, resource)
    }
    let page = try stored { () throws(StoreFailure) in
      try store.apps(bundleID: query["filter[bundleId]"], page: query.page)
    }
    return list(page, query, resource)
  }

  private func readApp(_ call: Call) throws(APIFailure) -> Message {
    try call.mustSee(app: call.id, "app", call.id)
    return single(resource(try stored { () throws(StoreFailure) in try store.app(call.id) }))
  }

  private func createApp(_ call: Call) throws(APIFailure) -> Message {
    guard call.identity?.appID == nil else {
      throw APIFailure(.forbidden, "The token is for one app only; a new app needs a token for all of them.")
    }
    let body = try RequestDocument(
      call.request, type: "apps", attributes: ["bundleId", "name", "reviewPolicy", "domainAllowList"])
    let fields = try AppFields(body.attributes)
    let bundleID = try RequestDocument.shaped { () throws(JSONShapeFailure) in
      try body.attributes.required("bundleId", expected: "a bundle id").string(bytes: 1...255)
    }
    let app = try stored(pointer: "/data/attributes/bundleId") { () throws(StoreFailure) in
      try store.createApp(
        bundleID: bundleID, name: fields.name ?? bundleID, reviewPolicy: fields.reviewPolicy ?? .none,
        domainAllowList: fields.domainAllowList, actor: call.actor)
    }
    surroundings.published()
    return single(status: 201, resource(app))
  }

  private func updateApp(_ call: Call) throws(APIFailure) -> Message {
    try call.mustSee(app: call.id, "app", call.id)
    let body = try RequestDocument(
      call.request, type: "apps", id: call.id, attributes: ["name", "reviewPolicy", "domainAllowList"])
    let fields = try AppFields(body.attributes)
    let app = try stored(pointer: "/data/attributes/domainAllowList") { () throws(StoreFailure) in
      try store.updateApp(
        call.id, name: fields.name, reviewPolicy: fields.reviewPolicy, domainAllowList: fields.domainAllowList,
        actor: call.actor)
    }
    surroundings.published()
    return single(resource(app))
  }

  private func resource(_ app: AppRecord) -> Resource {
    Resource(
      type: "apps", id: app.id,
      attributes: JSONObject([
        ("bundleId", .string(app.bundleID)), ("name", .string(app.name)),
        ("reviewPolicy", .string(app.reviewPolicy.rawValue)),
        ("domainAllowList", .array(app.domainAllowList.map { .string($0) })), ("createdDate", .time(app.created)),
      ]), path: "/v1/apps/\(app.id)")
  }
}

/// What a request says of an app; nil where it says nothing.
private struct AppFields {
  var name: String?
  var reviewPolicy: ReviewPolicy?
  var domainAllowList: [String]?

  init(_ attributes: JSONObjectCursor) throws(APIFailure) {
    (name, reviewPolicy, domainAllowList) = try RequestDocument.shaped { () throws(JSONShapeFailure) in
      var domains: [String]?
      if let list = try attributes.optional("domainAllowList")?.array(maximum: 256) {
        var texts: [String] = []
        for item in list { texts.append(try item.string(bytes: 1...255)) }
        domains = texts
      }
      return (
        try attributes.optional("name")?.string(bytes: 1...255),
        try attributes.optional("reviewPolicy")?.choice(of: ReviewPolicy.self), domains
      )
    }
  }
}
