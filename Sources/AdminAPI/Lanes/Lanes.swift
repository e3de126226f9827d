import AssetPacks
import HTTPCore
import JSONText
import PackStore

// `lanes`: manifests of a track in which some packs stay at a version.
extension AdminResources {
  var laneRoutes: [Route] {
    [
      Route(
        .post, "/v1/lanes", .publisher, .body("app", .app), Self.newLane, createLane,
        .creates(Self.laneShape, "A manifest of a track in which some packs stay at a version")),
      Route(.get, "/v1/lanes/{id}", .viewer, .path(.lane), readLane, .reads(Self.oneLane, "One lane")),
      Route(
        .patch, "/v1/lanes/{id}", .publisher, .path(.lane), BodyShape("lanes", Self.pins, .confirmedRemovals),
        changeLane, .updates(Self.laneShape, "Changes what a lane pins")),
      Route(.delete, "/v1/lanes/{id}", .publisher, .path(.lane), removeLane, .deletes("Removes a lane")),
      Route(
        .get, "/v1/apps/{id}/lanes", .viewer, .path(.app), listLanes, .lists(Self.laneList, "The lanes of an app")),
    ]
  }

  private static let newLane = BodyShape(
    "lanes", .track, Field("name", laneName, expected: "the name of a lane"), pins, .confirmedRemovals)

  private static let laneName = ValueShape<String>(Schema.text(pattern: "^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$")) {
    (name) throws(JSONShapeFailure) in
    let text = try name.string()
    guard LaneName(text) != nil else {
      throw name.outOfRange("1 to 64 characters of A–Z a–z 0–9 . _ -, not beginning with . or -")
    }
    return text
  }

  private static let pins = Field("packs", .list(pin, 0...1000), expected: "a list of packs")

  private static let pin = ValueShape<(String, Int?)>.object(
    Field("assetPackIdentifier", .text(1...128), expected: "an asset pack id"), pinnedVersion
  ).map { (identifier, number) in LanePin(identifier, number: number) }

  /// It must be there: null follows the track.
  private static let pinnedVersion = Field<Int?>("version", Schema.optional(Schema.version), isRequired: true) {
    (pack) throws(JSONShapeFailure) in
    let version = try pack.required("version", expected: "a version, or null to follow the track")
    return version.value == .null ? nil : try ValueShape<Int>.versionNumber.read(version)
  }

  private static let laneShape = ResourceShape(
    type: "lanes",
    attributes: [
      ("track", Schema.choice(of: Track.self)), ("name", Schema.text), ("packs", Schema.list(Schema.anyObject)),
      ("manifestURL", Schema.text), ("createdDate", Schema.date), ("changedDate", Schema.date),
    ], relationships: [ResourceShape.Relationship(name: "app", type: "apps")])

  private static let oneLane = QueryShape(resource: laneShape)
  private static let laneList = QueryShape(resource: laneShape, list: .lanes)

  private func createLane(
    _ context: RequestContext, _ app: AppRecord, _ body: (Track, String, [LanePin], Set<String>)
  ) throws(APIFailure) -> Message {
    let (track, name, pins, confirmed) = body
    let result = try stored(pointer: "/data/attributes/packs") { () throws(StoreFailure) in
      try store.createLane(
        app: app.id, track: track, name: name, pins: pins, confirmedRemovals: confirmed, actor: context.actor)
    }
    return single(status: 201, Self.resource(result))
  }

  private func readLane(_ context: RequestContext, _ lane: LaneRecord, _ query: Query) throws(APIFailure) -> Message {
    single(Self.resource(lane), query)
  }

  private func changeLane(
    _ context: RequestContext, _ lane: LaneRecord, _ body: ([LanePin], Set<String>)
  ) throws(APIFailure) -> Message {
    let (pins, confirmed) = body
    let result = try stored(pointer: "/data/attributes/packs") { () throws(StoreFailure) in
      try store.updateLane(lane.id, pins: pins, confirmedRemovals: confirmed, actor: context.actor)
    }
    return single(Self.resource(result))
  }

  private func removeLane(_ context: RequestContext, _ lane: LaneRecord) throws(APIFailure) -> Message {
    _ = try stored { () throws(StoreFailure) in try store.removeLane(lane.id, actor: context.actor) }
    return .nothing
  }

  private func listLanes(_ context: RequestContext, _ app: AppRecord, _ query: Query) throws(APIFailure) -> Message {
    let page = try stored { () throws(StoreFailure) in try store.lanes(app: app.id, query.listing(.lanes)) }
    return list(page, query) { Self.resource($0) }
  }

  private static func resource(_ lane: LaneRecord) -> ResourceObject {
    let packs: [JSONValue] = lane.pins.map { pin in
      ["assetPackIdentifier": .string(pin.assetPackIdentifier), "version": .string(String(pin.number))]
    }
    return ResourceObject(
      type: "lanes", id: lane.id,
      attributes: JSONObject([
        ("track", .string(lane.track.rawValue)), ("name", .string(lane.name)), ("packs", .array(packs)),
        ("manifestURL", .string(lane.manifestURL)), ("createdDate", .time(lane.created)),
        ("changedDate", .time(lane.changed)),
      ]), relationships: [("app", "apps", lane.appID)], path: "/v1/lanes/\(lane.id)")
  }
}

extension Owned<LaneRecord> {
  static var lane: Owned {
    Owned(
      kind: .lane, type: "lanes", find: { (store, id) throws(StoreFailure) in try store.lane(id) },
      app: { $0.appID })
  }
}
