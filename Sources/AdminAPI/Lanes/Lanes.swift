import AssetPacks
import HTTPCore
import JSONText
import PackStore

// `lanes`: manifests of a track in which some packs stay at a version.
extension AdminResources {
  var laneRoutes: [Route] {
    [
      Route(
        .post, "/v1/lanes", .publisher, createLane,
        .creates(
          Self.laneShape, "A manifest of a track in which some packs stay at a version",
          attributes: [
            ("track", Schema.choice(of: Track.self)),
            ("name", Schema.text(pattern: "^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$")),
            ("packs", Schema.list(Self.laneItem, 0...1000)),
            ("confirmedRemovals", Schema.optional(Schema.list(Schema.text(1...128), 0...1000))),
          ], required: ["track", "name", "packs"], relationships: [("app", "apps")])),
      Route(.get, "/v1/lanes/{id}", .viewer, readLane, .reads(Self.oneLane, "One lane")),
      Route(
        .patch, "/v1/lanes/{id}", .publisher, changeLane,
        .updates(
          Self.laneShape, "Changes what a lane pins",
          attributes: [
            ("packs", Schema.list(Self.laneItem, 0...1000)),
            ("confirmedRemovals", Schema.optional(Schema.list(Schema.text(1...128), 0...1000))),
          ], required: ["packs"])),
      Route(.delete, "/v1/lanes/{id}", .publisher, removeLane, .deletes("Takes a lane away")),
      Route(.get, "/v1/apps/{id}/lanes", .viewer, listLanes, .lists(Self.laneList, "The lanes of an app")),
    ]
  }

  private static let laneItem = Schema.object([
    ("assetPackIdentifier", Schema.text(1...128)), ("version", Schema.optional(Schema.version)),
  ])

  private static let laneShape = ResourceShape(
    type: "lanes",
    attributes: [
      ("track", Schema.choice(of: Track.self)), ("name", Schema.text), ("packs", Schema.list(Schema.anyObject)),
      ("manifestURL", Schema.text), ("createdDate", Schema.date), ("changedDate", Schema.date),
    ], relationships: [ResourceShape.Relationship(name: "app", type: "apps")])

  private static let oneLane = QueryShape(resource: laneShape)
  private static let laneList = QueryShape(resource: laneShape, list: .lanes)

  private func createLane(_ context: RequestContext) throws(APIFailure) -> Message {
    let body = try RequestDocument(
      context.request, type: "lanes", attributes: ["track", "name", "packs", "confirmedRemovals"],
      relationships: ["app"])
    let (track, name, pins, confirmed) = try RequestDocument.shaped { () throws(JSONShapeFailure) in
      let name = try body.attributes.required("name", expected: "the name of a lane")
      let text = try name.string()
      guard LaneName(text) != nil else {
        throw name.outOfRange("1 to 64 characters of A–Z a–z 0–9 . _ -, not beginning with . or -")
      }
      return (
        try body.attributes.required("track", expected: "a track").choice(of: Track.self), text,
        try Self.pins(body.attributes), try Self.confirmedRemovals(body.attributes)
      )
    }
    let app = try app(of: body, context)
    let result = try stored(pointer: "/data/attributes/packs") { () throws(StoreFailure) in
      try store.createLane(
        app: app.id, track: track, name: name, pins: pins, confirmedRemovals: confirmed, actor: context.actor)
    }
    published(result.publicationFailure, app, track)
    return single(status: 201, Self.resource(result.lane))
  }

  private func readLane(_ context: RequestContext) throws(APIFailure) -> Message {
    let query = try Query(context.request, Self.oneLane)
    return single(Self.resource(try visibleLane(context)), query)
  }

  private func changeLane(_ context: RequestContext) throws(APIFailure) -> Message {
    let lane = try visibleLane(context)
    let body = try RequestDocument(
      context.request, type: "lanes", id: context.id, attributes: ["packs", "confirmedRemovals"])
    let (pins, confirmed) = try RequestDocument.shaped { () throws(JSONShapeFailure) in
      (try Self.pins(body.attributes), try Self.confirmedRemovals(body.attributes))
    }
    let result = try stored(pointer: "/data/attributes/packs") { () throws(StoreFailure) in
      try store.updateLane(lane.id, pins: pins, confirmedRemovals: confirmed, actor: context.actor)
    }
    published(
      result.publicationFailure, try stored { () throws(StoreFailure) in try store.app(lane.appID) }, lane.track)
    return single(Self.resource(result.lane))
  }

  private func removeLane(_ context: RequestContext) throws(APIFailure) -> Message {
    let lane = try visibleLane(context)
    let result = try stored { () throws(StoreFailure) in try store.removeLane(lane.id, actor: context.actor) }
    published(
      result.publicationFailure, try stored { () throws(StoreFailure) in try store.app(lane.appID) }, lane.track)
    return Message(status: 204, contentType: nil, body: [], fields: [("Cache-Control", "no-store")])
  }

  private func listLanes(_ context: RequestContext) throws(APIFailure) -> Message {
    let query = try Query(context.request, Self.laneList)
    try context.mustSee(app: context.id, "app", context.id)
    let page = try stored { () throws(StoreFailure) in try store.lanes(app: context.id, query.listing(.lanes)) }
    return list(page, query) { Self.resource($0) }
  }

  private func visibleLane(_ context: RequestContext) throws(APIFailure) -> LaneRecord {
    let lane = try stored { () throws(StoreFailure) in try store.lane(context.id) }
    try context.mustSee(app: lane.appID, "lane", context.id)
    return lane
  }

  private static func pins(_ attributes: JSONObjectCursor) throws(JSONShapeFailure) -> [LanePin] {
    let packs = try attributes.required("packs", expected: "a list of packs")
    var pins: [LanePin] = []
    for pack in try packs.array(maximum: 1000) {
      let members = try pack.object(allowing: ["assetPackIdentifier", "version"])
      let identifier = try members.required("assetPackIdentifier", expected: "an asset pack id").string(bytes: 1...128)
      let version = try members.required("version", expected: "a version, or null to follow the track")
      if case .null = version.value {
        pins.append(LanePin(identifier, number: nil))
      } else {
        pins.append(LanePin(identifier, number: try versionNumber(version)))
      }
    }
    return pins
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
