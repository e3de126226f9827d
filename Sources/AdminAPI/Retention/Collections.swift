import HTTPCore
import JSONText
import PackStore

// `collections`: removes bytes that nobody needs.
extension AdminResources {
  var collectionRoutes: [Route] {
    [
      Route(
        .post, "/v1/collections", .admin, .everyApp, Self.newCollection, collect,
        RouteDocumentation(
          summary: "Collects the bytes of versions that are past retention",
          answer: Schema.object([("data", Self.answer)])))
    ]
  }

  private static let newCollection = BodyShape("collections", Field("dryRun", .flag, or: false))

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

  private func collect(
    _ context: RequestContext, _ scope: AppScope, _ isDryRun: Bool
  ) throws(APIFailure) -> Message {
    let report = try stored { () throws(StoreFailure) in
      isDryRun
        ? try store.previewCollection(app: scope.id)
        : try store.collect(app: scope.id, actor: context.actor)
    }
    return .json(
      200,
      [
        "data": [
          "type": "collections", "id": .string(scope.id ?? "server"),
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
