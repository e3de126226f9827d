import AssetPacks
import HTTPCore
import JSONText
import PackStore

// `rollouts`: new versions for a part of a track's clients.
extension AdminResources {
  var rolloutRoutes: [Route] {
    [
      Route(
        .post, "/v1/rollouts", .publisher, startRollout,
        .creates(
          Self.rolloutShape, "Gives new versions to a part of a track's clients",
          attributes: [
            ("track", Schema.choice(["beta", "production"])),
            ("packs", Schema.list(Self.releaseItem, 1...1000)), ("percent", Schema.integer(from: 0, to: 100)),
            ("confirmedRemovals", Schema.optional(Schema.list(Schema.text(1...128), 0...1000))),
          ], required: ["track", "packs", "percent"], relationships: [("app", "apps")])),
      Route(.get, "/v1/rollouts/{id}", .viewer, readRollout, .reads(Self.oneRollout, "One rollout")),
      Route(
        .patch, "/v1/rollouts/{id}", .publisher, changeRollout,
        .updates(
          Self.rolloutShape, "Raises the percentage of a rollout, or pauses, resumes, finishes or stops it",
          attributes: [
            ("percent", Schema.optional(Schema.integer(from: 0, to: 100))),
            ("state", Schema.optional(Schema.choice(of: RolloutStateMachine.Event.self))),
            ("confirmedRemovals", Schema.optional(Schema.list(Schema.text(1...128), 0...1000))),
          ])),
      Route(
        .get, "/v1/apps/{id}/rollouts", .viewer, listRollouts, .lists(Self.rolloutList, "The rollouts of an app")),
    ]
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

  private func startRollout(_ context: RequestContext) throws(APIFailure) -> Message {
    let body = try RequestDocument(
      context.request, type: "rollouts", attributes: ["track", "packs", "percent", "confirmedRemovals"],
      relationships: ["app"])
    let (track, items, percent, confirmed) = try RequestDocument.shaped { () throws(JSONShapeFailure) in
      let track = try body.attributes.required("track", expected: "beta or production")
      let chosen = try track.choice(of: Track.self)
      if chosen == .internal {
        throw track.outOfRange("\"beta\" or \"production\"; testers always get the newest version")
      }
      let items = try Self.items(body.attributes)
      let percent = try body.attributes.required("percent", expected: "a whole number from 0 to 100")
      return (chosen, items, try percent.integer(in: 0...100), try Self.confirmedRemovals(body.attributes))
    }
    let app = try app(of: body, context)
    let result = try stored(pointer: "/data/attributes/packs") { () throws(StoreFailure) in
      try store.startRollout(
        app: app.id, track: track, packs: items, percent: percent, confirmedRemovals: confirmed, actor: context.actor)
    }
    published(result.publicationFailure, app, track)
    return single(status: 201, Self.resource(result.rollout))
  }

  private func readRollout(_ context: RequestContext) throws(APIFailure) -> Message {
    let query = try Query(context.request, Self.oneRollout)
    return single(Self.resource(try visibleRollout(context)), query)
  }

  private func changeRollout(_ context: RequestContext) throws(APIFailure) -> Message {
    let rollout = try visibleRollout(context)
    let body = try RequestDocument(
      context.request, type: "rollouts", id: context.id, attributes: ["percent", "state", "confirmedRemovals"])
    let (percent, event, confirmed) = try RequestDocument.shaped { () throws(JSONShapeFailure) in
      (
        try body.attributes.optional("percent")?.integer(in: 0...100),
        try body.attributes.optional("state")?.choice(of: RolloutStateMachine.Event.self),
        try Self.confirmedRemovals(body.attributes)
      )
    }
    let pointer = "/data/attributes/\(percent == nil ? "state" : "percent")"
    let result = try stored(pointer: pointer) { () throws(StoreFailure) in
      try store.changeRollout(
        rollout.id, percent: percent, move: event, confirmedRemovals: confirmed, actor: context.actor)
    }
    let app = try stored { () throws(StoreFailure) in try store.app(rollout.appID) }
    published(result.publicationFailure, app, rollout.track)
    return single(Self.resource(result.rollout))
  }

  private func listRollouts(_ context: RequestContext) throws(APIFailure) -> Message {
    let query = try Query(context.request, Self.rolloutList)
    try context.mustSee(app: context.id, "app", context.id)
    let page = try stored { () throws(StoreFailure) in
      try store.rollouts(app: context.id, query.listing(.rollouts))
    }
    return list(page, query) { Self.resource($0) }
  }

  private func visibleRollout(_ context: RequestContext) throws(APIFailure) -> RolloutRecord {
    let rollout = try stored { () throws(StoreFailure) in try store.rollout(context.id) }
    try context.mustSee(app: rollout.appID, "rollout", context.id)
    return rollout
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
