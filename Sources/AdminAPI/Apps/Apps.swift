import AssetPacks
import HTTPCore
import JSONText
import PackStore

// `apps`: whose packs are delivered, by which rules.
extension AdminResources {
  var appRoutes: [Route] {
    [
      Route(.get, "/v1/apps", .viewer, listApps, .lists(Self.appList, "The apps")),
      Route(
        .post, "/v1/apps", .admin, createApp,
        .creates(
          Self.appShape, "A new app", attributes: [("bundleId", Schema.text(1...255))] + Self.appFields,
          required: ["bundleId"])),
      Route(.get, "/v1/apps/{id}", .viewer, readApp, .reads(Self.oneApp, "One app")),
      Route(
        .patch, "/v1/apps/{id}", .admin, updateApp,
        .updates(Self.appShape, "Another name, review policy or allow-list", attributes: Self.appFields)),
    ]
  }

  /// What a body may say of an app beside its bundle id.
  private static let appFields: [(String, JSONValue)] = [
    ("name", Schema.optional(Schema.text(1...255))),
    ("reviewPolicy", Schema.optional(Schema.choice(of: ReviewPolicy.self))),
    ("domainAllowList", Schema.optional(Schema.list(Schema.text(1...255), 0...256))),
  ]

  static let appShape = ResourceShape(
    type: "apps",
    attributes: [
      ("bundleId", Schema.text), ("name", Schema.text), ("reviewPolicy", Schema.choice(of: ReviewPolicy.self)),
      ("domainAllowList", Schema.list(Schema.text)), ("createdDate", Schema.date),
    ], relationships: [ResourceShape.Relationship(name: "backgroundAssets", type: "backgroundAssets", number: .many)])

  private static let appList = QueryShape(resource: appShape, list: .apps)
  private static let oneApp = QueryShape(resource: appShape)

  private func listApps(_ context: RequestContext) throws(APIFailure) -> Message {
    let query = try Query(context.request, Self.appList)
    let page = try stored { () throws(StoreFailure) in
      try store.apps(only: context.identity?.appID, query.listing(.apps))
    }
    return list(page, query) { resource($0) }
  }

  private func readApp(_ context: RequestContext) throws(APIFailure) -> Message {
    let query = try Query(context.request, Self.oneApp)
    try context.mustSee(app: context.id, "app", context.id)
    return single(resource(try stored { () throws(StoreFailure) in try store.app(context.id) }), query)
  }

  private func createApp(_ context: RequestContext) throws(APIFailure) -> Message {
    guard context.identity?.appID == nil else {
      throw APIFailure(.forbidden, "The token is for one app only; a new app needs a token for all of them.")
    }
    let body = try RequestDocument(
      context.request, type: "apps", attributes: ["bundleId", "name", "reviewPolicy", "domainAllowList"])
    let fields = try AppFields(body.attributes)
    let bundleID = try RequestDocument.shaped { () throws(JSONShapeFailure) in
      try body.attributes.required("bundleId", expected: "a bundle id").string(bytes: 1...255)
    }
    let app = try stored(pointer: "/data/attributes/bundleId") { () throws(StoreFailure) in
      try store.createApp(
        bundleID: bundleID, name: fields.name ?? bundleID, reviewPolicy: fields.reviewPolicy ?? .none,
        domainAllowList: fields.domainAllowList, actor: context.actor)
    }
    dependencies.published()
    return single(status: 201, resource(app))
  }

  private func updateApp(_ context: RequestContext) throws(APIFailure) -> Message {
    try context.mustSee(app: context.id, "app", context.id)
    let body = try RequestDocument(
      context.request, type: "apps", id: context.id, attributes: ["name", "reviewPolicy", "domainAllowList"])
    let fields = try AppFields(body.attributes)
    let app = try stored(pointer: "/data/attributes/domainAllowList") { () throws(StoreFailure) in
      try store.updateApp(
        context.id, name: fields.name, reviewPolicy: fields.reviewPolicy, domainAllowList: fields.domainAllowList,
        actor: context.actor)
    }
    dependencies.published()
    return single(resource(app))
  }

  func resource(_ app: AppRecord) -> ResourceObject {
    ResourceObject(
      type: "apps", id: app.id,
      attributes: JSONObject([
        ("bundleId", .string(app.bundleID)), ("name", .string(app.name)),
        ("reviewPolicy", .string(app.reviewPolicy.rawValue)),
        ("domainAllowList", .array(app.domainAllowList.map { .string($0) })), ("createdDate", .time(app.created)),
      ]), path: "/v1/apps/\(app.id)",
      related: [
        ResourceObject.Related(name: "backgroundAssets", target: .unknown, path: "/v1/apps/\(app.id)/backgroundAssets")
      ])
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
