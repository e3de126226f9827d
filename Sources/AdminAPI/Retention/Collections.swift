import HTTPCore
import JSONText
import PackStore

// `collections`: bytes that nobody needs are given up.
extension AdminResources {
  var collectionRoutes: [Route] {
    [
      Route(
        .post, "/v1/collections", .admin, collect,
        RouteDocumentation(
          summary: "Gives up the bytes of versions that are past retention", body: Self.request,
          answer: Schema.object([("data", Self.answer)])))
    ]
  }

  private static let request = Schema.object([
    (
      "data",
      Schema.object(
        [
          ("type", ["const": "collections"]),
          ("attributes", Schema.object([("dryRun", Schema.optional(Schema.flag))], required: [])),
          (
            "relationships",
            Schema.object([("app", Schema.object([("data", Schema.identifier("apps"))]))], required: [])
          ),
        ], required: ["type"])
    )
  ])

  private static let answer = Schema.object([
    ("type", ["const": "collections"]), ("id", Schema.text),
    (
      "attributes",
      Schema.object([
        ("dryRun", Schema.flag), ("freedBytes", Schema.integer), ("removedBlobs", Schema.integer),
        ("strayBlobs", Schema.integer), ("collected", Schema.list(Schema.anyObject)),
        ("waiting", Schema.list(Schema.anyObject)),
      ])
    ),
  ])

  private func collect(_ context: RequestContext) throws(APIFailure) -> Message {
    let body = try RequestDocument(
      context.request, type: "collections", attributes: ["dryRun"], relationships: ["app"])
    let isDryRun = try RequestDocument.shaped { () throws(JSONShapeFailure) in
      try body.attributes.optional("dryRun")?.bool() ?? false
    }
    var app: String?
    if body.hasRelationship("app") {
      let id = try body.related("app", type: "apps")
      try context.mustSee(app: id, "app", id)
      app = try storedRelated("app") { () throws(StoreFailure) in try store.app(id) }.id
    } else if let only = context.identity?.appID {
      app = only
    }
    let report = try stored { () throws(StoreFailure) in
      isDryRun
        ? try store.previewCollection(app: app)
        : try store.collect(app: app, actor: context.actor, publish: dependencies.published)
    }
    return .json(
      200,
      [
        "data": [
          "type": "collections", "id": .string(app ?? "server"),
          "attributes": [
            "dryRun": .bool(isDryRun), "freedBytes": .integer(report.freedBytes),
            "removedBlobs": .integer(report.removedBlobs), "strayBlobs": .integer(report.strayBlobs),
            "collected": .array(report.collected.map(Self.line)), "waiting": .array(report.waiting.map(Self.line)),
          ],
        ]
      ])
  }

  private static func line(_ version: CollectionReport.Version) -> JSONValue {
    [
      "app": .string(version.bundleID), "assetPackIdentifier": .string(version.assetPackIdentifier),
      "version": .string(String(version.number)), "downloadSize": .integer(version.size), "dueDate": .time(version.due),
    ]
  }
}
