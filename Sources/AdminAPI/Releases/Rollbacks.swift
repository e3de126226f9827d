import AssetPacks
import HTTPCore
import JSONText
import PackStore

// `rollbacks`: old bytes under a new number, live at once.
extension AdminResources {
  var rollbackRoutes: [Route] {
    [
      Route(
        .post, "/v1/rollbacks", .publisher, .body("app", .app), Self.newRollback, rollback,
        .creates(Self.rollbackShape, "Makes the bytes of an earlier version live again, under a new number"))
    ]
  }

  private static let newRollback = BodyShape(
    "rollbacks", .track, Field("assetPackIdentifier", .text(1...128), expected: "an asset pack id"),
    Field("version", .versionNumber), .confirmedRemovals)

  private static let rollbackShape = ResourceShape(
    type: "rollbacks",
    attributes: [
      ("track", Schema.choice(of: Track.self)), ("assetPackIdentifier", Schema.text), ("version", Schema.version),
      ("sourceVersion", Schema.version), ("previousVersion", Schema.version), ("state", Schema.text),
      ("manifestURL", Schema.text),
    ],
    relationships: [
      ResourceShape.Relationship(name: "app", type: "apps"),
      ResourceShape.Relationship(name: "backgroundAssetVersion", type: "backgroundAssetVersions"),
    ])

  private func rollback(
    _ context: RequestContext, _ app: AppRecord, _ body: (Track, String, Int?, Set<String>)
  ) throws(APIFailure) -> Message {
    let (track, pack, number, confirmed) = body
    let pointer = "/data/attributes/\(number == nil ? "assetPackIdentifier" : "version")"
    let result = try stored(pointer: pointer) { () throws(StoreFailure) in
      try store.rollback(
        app: app.id, track: track, pack: pack, to: number, confirmedRemovals: confirmed, actor: context.actor)
    }
    published(result.publicationFailure, app, track)
    return .json(201, ["data": Self.resource(result, app: app)])
  }

  private static func resource(_ result: RollbackResult, app: AppRecord) -> JSONValue {
    [
      "type": "rollbacks", "id": .string(result.versionID),
      "attributes": [
        "track": .string(result.track.rawValue), "assetPackIdentifier": .string(result.assetPackIdentifier),
        "version": .string(String(result.number)), "sourceVersion": .string(String(result.sourceNumber)),
        "previousVersion": .string(String(result.previousNumber)), "state": .string(result.state),
        "manifestURL": .string(result.manifestURL),
      ],
      "relationships": [
        "app": ["data": ["type": "apps", "id": .string(app.id)]],
        "backgroundAssetVersion": ["data": ["type": "backgroundAssetVersions", "id": .string(result.versionID)]],
      ],
    ]
  }
}
