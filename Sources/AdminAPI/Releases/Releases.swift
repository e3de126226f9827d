import AssetPacks
import HTTPCore
import JSONText
import PackStore

// `releases`: several packs go live on a track as one. `tracks`: what is live.
extension AdminResources {
  var releaseRoutes: [Route] {
    [
      Route(
        .post, "/v1/releases", .publisher, .body("app", .app),
        BodyShape("releases", .track, .releaseItems, .confirmedRemovals), release,
        .creates(Self.releaseShape, "Makes versions of packs live on a track, all in one step")),
      Route(
        .get, "/v1/apps/{id}/tracks", .viewer, .path(.app), listTracks,
        .lists(Self.trackList, "What is live on each track")),
    ]
  }

  private static let releaseShape = ResourceShape(
    type: "releases",
    attributes: [
      ("track", Schema.choice(of: Track.self)), ("packs", Schema.list(Schema.anyObject)), ("manifestURL", Schema.text),
    ], relationships: [ResourceShape.Relationship(name: "app", type: "apps")])

  private static let trackList = QueryShape(
    resource: ResourceShape(
      type: "tracks", attributes: [("manifestURL", Schema.text), ("packs", Schema.list(Schema.anyObject))]),
    isPlainList: true)

  private func release(
    _ context: RequestContext, _ app: AppRecord, _ body: (Track, [ReleaseItem], Set<String>)
  ) throws(APIFailure) -> Message {
    let (track, items, confirmed) = body
    let result = try stored(pointer: "/data/attributes/packs") { () throws(StoreFailure) in
      try store.release(app: app.id, track: track, packs: items, confirmedRemovals: confirmed, actor: context.actor)
    }
    published(result.publicationFailure, app, track)
    return .json(201, ["data": Self.resource(result, app: app)])
  }

  private static func resource(_ result: ReleaseResult, app: AppRecord) -> JSONValue {
    let packs: [JSONValue] = result.packs.map { pack in
      [
        "assetPackIdentifier": .string(pack.assetPackIdentifier), "version": .string(String(pack.number)),
        "state": .string(pack.state), "previousVersion": .optional(pack.previousNumber.map { String($0) }),
      ]
    }
    return [
      "type": "releases", "id": .string("\(app.id)-\(result.track.rawValue)"),
      "attributes": [
        "track": .string(result.track.rawValue), "packs": .array(packs), "manifestURL": .string(result.manifestURL),
      ],
      "relationships": ["app": ["data": ["type": "apps", "id": .string(app.id)]]],
    ]
  }

  private func listTracks(_ context: RequestContext, _ app: AppRecord, _ query: Query) throws(APIFailure) -> Message {
    let tracks = try stored { () throws(StoreFailure) in try store.tracks(app: app.id) }
    return list(Page(only: tracks), query) { track in
      let packs: [JSONValue] = track.packs.map { pack in
        [
          "assetPackIdentifier": .string(pack.assetPackIdentifier), "version": .string(String(pack.number)),
          "state": .string(pack.state), "downloadSize": .integer(pack.downloadSize), "sha256": .string(pack.sha256),
          "url": .string(pack.url),
        ]
      }
      return ResourceObject(
        type: "tracks", id: track.track.rawValue,
        attributes: JSONObject([("manifestURL", .string(track.manifestURL)), ("packs", .array(packs))]),
        path: "/v1/apps/\(app.id)/tracks")
    }
  }
}
