import AssetPacks
import HTTPCore
import JSONText
import PackStore

// `rollbacks`: old bytes under a new number, live at once.
extension AdminResources {
  var rollbackRoutes: [Route] {
    [
      Route(
        .post, "/v1/rollbacks", .publisher, rollback,
        .creates(
          Self.rollbackShape, "Makes the bytes of an earlier version live again, under a new number",
          attributes: [
            ("track", Schema.choice(of: Track.self)), ("assetPackIdentifier", Schema.text(1...128)),
            ("version", Schema.optional(Schema.version)),
            ("confirmedRemovals", Schema.optional(Schema.list(Schema.text(1...128), 0...1000))),
          ], required: ["track", "assetPackIdentifier"], relationships: [("app", "apps")]))
    ]
  }

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

  private func rollback(_ context: RequestContext) throws(APIFailure) -> Message {
    let body = try RequestDocument(
      context.request, type: "rollbacks", attributes: ["track", "assetPackIdentifier", "version", "confirmedRemovals"],
      relationships: ["app"])
    let (track, pack, number, confirmed) = try RequestDocument.shaped { () throws(JSONShapeFailure) in
      (
        try body.attributes.required("track", expected: "a track").choice(of: Track.self),
        try body.attributes.required("assetPackIdentifier", expected: "an asset pack id").string(bytes: 1...128),
        try body.attributes.optional("version").map { (version) throws(JSONShapeFailure) in
          try Self.versionNumber(version)
        },
        try Self.confirmedRemovals(body.attributes)
      )
    }
    let app = try app(of: body, context)
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
