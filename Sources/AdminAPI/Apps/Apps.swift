import AssetPacks
import HTTPCore
import JSONText
import PackStore

// `apps`: whose packs are delivered, by which rules.
extension AdminResources {
  var appRoutes: [Route] {
    [
      Route(.get, "/v1/apps", .viewer, .list, listApps, .lists(Self.appList, "The apps")),
      Route(
        .post, "/v1/apps", .admin,
        .server("The token is for one app only; a new app needs a token for all of them."), Self.newApp, createApp,
        .creates(Self.appShape, "A new app")),
      Route(.get, "/v1/apps/{id}", .viewer, .path(.app), readApp, .reads(Self.oneApp, "One app")),
      Route(
        .patch, "/v1/apps/{id}", .admin, .path(.app), Self.appChange, updateApp,
        .updates(Self.appShape, "Another name, review policy or allow-list")),
    ]
  }

  private static let appName = Field("name", .text(1...255))
  private static let reviewPolicy = Field("reviewPolicy", .choice(ReviewPolicy.self))
  private static let domainAllowList = Field("domainAllowList", .list(.text(1...255), 0...256))

  private static let newApp = BodyShape(
    "apps", Field("bundleId", .text(1...255), expected: "a bundle id"), appName, reviewPolicy, domainAllowList)
  private static let appChange = BodyShape("apps", appName, reviewPolicy, domainAllowList)

  static let appShape = ResourceShape(
    type: "apps",
    attributes: [
      ("bundleId", Schema.text), ("name", Schema.text), ("reviewPolicy", Schema.choice(of: ReviewPolicy.self)),
      ("domainAllowList", Schema.list(Schema.text)), ("createdDate", Schema.date),
    ], relationships: [ResourceShape.Relationship(name: "backgroundAssets", type: "backgroundAssets", number: .many)])

  private static let appList = QueryShape(resource: appShape, list: .apps)
  private static let oneApp = QueryShape(resource: appShape)

  private func listApps(_ context: RequestContext, _ scope: AppScope, _ query: Query) throws(APIFailure) -> Message {
    let page = try stored { () throws(StoreFailure) in try store.apps(only: scope.id, query.listing(.apps)) }
    return list(page, query) { resource($0) }
  }

  private func readApp(_ context: RequestContext, _ app: AppRecord, _ query: Query) throws(APIFailure) -> Message {
    single(resource(app), query)
  }

  private func createApp(
    _ context: RequestContext, _: Void, _ body: (String, String?, ReviewPolicy?, [String]?)
  ) throws(APIFailure) -> Message {
    let (bundleID, name, reviewPolicy, domains) = body
    let app = try stored(pointer: "/data/attributes/bundleId") { () throws(StoreFailure) in
      try store.createApp(
        bundleID: bundleID, name: name ?? bundleID, reviewPolicy: reviewPolicy ?? .none, domainAllowList: domains,
        actor: context.actor)
    }
    dependencies.published()
    return single(status: 201, resource(app))
  }

  private func updateApp(
    _ context: RequestContext, _ app: AppRecord, _ body: (String?, ReviewPolicy?, [String]?)
  ) throws(APIFailure) -> Message {
    let (name, reviewPolicy, domains) = body
    let changed = try stored(pointer: "/data/attributes/domainAllowList") { () throws(StoreFailure) in
      try store.updateApp(
        app.id, name: name, reviewPolicy: reviewPolicy, domainAllowList: domains, actor: context.actor)
    }
    dependencies.published()
    return single(resource(changed))
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

extension Owned<AppRecord> {
  static var app: Owned {
    Owned(
      kind: .app, type: "apps", find: { (store, id) throws(StoreFailure) in try store.app(id) }, app: { $0.id })
  }
}
