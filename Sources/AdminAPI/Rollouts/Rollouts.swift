import AssetPacks
import HTTPCore
import JSONText
import PackStore

// `rollouts`: new versions for a part of a track's clients.
extension AdminResources {
  var rolloutRoutes: [Route] {
    [
      Route(
        .post, "/v1/rollouts", .publisher, .body("app", .app), Self.newRollout, startRollout,
        .creates(Self.rolloutShape, "Gives new versions to a part of a track's clients")),
      Route(
        .get, "/v1/rollouts/{id}", .viewer, .path(.rollout), readRollout, .reads(Self.oneRollout, "One rollout")),
      Route(
        .patch, "/v1/rollouts/{id}", .publisher, .path(.rollout), Self.rolloutChange, changeRollout,
        .updates(
          Self.rolloutShape, "Raises the percentage of a rollout, or pauses, resumes, finishes or stops it")),
      Route(
        .get, "/v1/apps/{id}/rollouts", .viewer, .path(.app), listRollouts,
        .lists(Self.rolloutList, "The rollouts of an app")),
    ]
  }

  private static let newRollout = BodyShape(
    "rollouts", Field("track", rolloutTrack, expected: "beta or production"), .releaseItems,
    Field("percent", .integer(0...100), expected: "a whole number from 0 to 100"), .confirmedRemovals)
  private static let rolloutChange = BodyShape(
    "rollouts", Field("percent", .integer(0...100)), Field("state", .choice(RolloutStateMachine.Event.self)),
    .confirmedRemovals)

  private static let rolloutTrack = ValueShape<Track>(Schema.choice(["beta", "production"])) {
    (track) throws(JSONShapeFailure) in
    let chosen = try track.choice(of: Track.self)
    if chosen == .internal {
      throw track.outOfRange("\"beta\" or \"production\"; testers always get the newest version")
    }
    return chosen
  }

  private static let rolloutShape = ResourceShape(
    type: "rollouts",
    attributes: [
      ("track", Schema.choice(of: Track.self)), ("state", Schema.choice(of: RolloutState.self)),
      ("percent", Schema.integer(from: 0, to: 100)), ("packs", Schema.list(Schema.anyObject)),
      ("createdDate", Schema.date), ("changedDate", Schema.date),
    ], relationships: [ResourceShape.Relationship(name: "app", type: "apps")])

  private static let oneRollout = QueryShape(resource: rolloutShape)
  private static let rolloutList = QueryShape(resource: rolloutShape, list: .rollouts)

  private func startRollout(
    _ context: RequestContext, _ app: AppRecord, _ body: (Track, [ReleaseItem], Int, Set<String>)
  ) throws(APIFailure) -> Message {
    let (track, items, percent, confirmed) = body
    let result = try stored(pointer: "/data/attributes/packs") { () throws(StoreFailure) in
      try store.startRollout(
        app: app.id, track: track, packs: items, percent: percent, confirmedRemovals: confirmed, actor: context.actor)
    }
    return single(status: 201, Self.resource(result))
  }

  private func readRollout(
    _ context: RequestContext, _ rollout: RolloutRecord, _ query: Query
  ) throws(APIFailure) -> Message {
    single(Self.resource(rollout), query)
  }

  private func changeRollout(
    _ context: RequestContext, _ rollout: RolloutRecord, _ body: (Int?, RolloutStateMachine.Event?, Set<String>)
  ) throws(APIFailure) -> Message {
    let (percent, event, confirmed) = body
    let pointer = "/data/attributes/\(percent == nil ? "state" : "percent")"
    let result = try stored(pointer: pointer) { () throws(StoreFailure) in
      try store.changeRollout(
        rollout.id, percent: percent, move: event, confirmedRemovals: confirmed, actor: context.actor)
    }
    return single(Self.resource(result))
  }

  private func listRollouts(_ context: RequestContext, _ app: AppRecord, _ query: Query) throws(APIFailure) -> Message {
    let page = try stored { () throws(StoreFailure) in try store.rollouts(app: app.id, query.listing(.rollouts)) }
    return list(page, query) { Self.resource($0) }
  }

  private static func resource(_ rollout: RolloutRecord) -> ResourceObject {
    let packs: [JSONValue] = rollout.packs.map { pack in
      [
        "assetPackIdentifier": .string(pack.assetPackIdentifier), "version": .string(String(pack.number)),
        "previousVersion": .string(String(pack.previousNumber)),
      ]
    }
    return ResourceObject(
      type: "rollouts", id: rollout.id,
      attributes: JSONObject([
        ("track", .string(rollout.track.rawValue)), ("state", .string(rollout.state.rawValue)),
        ("percent", .integer(rollout.percent)), ("packs", .array(packs)), ("createdDate", .time(rollout.created)),
        ("changedDate", .time(rollout.changed)),
      ]), relationships: [("app", "apps", rollout.appID)], path: "/v1/rollouts/\(rollout.id)")
  }
}

extension Owned<RolloutRecord> {
  static var rollout: Owned {
    Owned(
      kind: .rollout, type: "rollouts", find: { (store, id) throws(StoreFailure) in try store.rollout(id) },
      app: { $0.appID })
  }
}
