import JSONText

extension Verb {
  static let laneSet = Verb(
    words: ["lane", "set"], summary: "Create a lane of a track, or change the versions that it pins.",
    positionals: "LANE [PACK@VERSION…]", count: 1...1001,
    options: AdminClient.options + [
      TrackOptions.app, TrackOptions.track,
      .value("follow", "PACK", "A pack that is to follow the track again.", repeats: true), TrackOptions.confirm,
      .flag("json", "Print the lane as JSON."),
    ],
    details: "Packs that are not pinned follow the track."
  ) { arguments throws(CommandFailure) in try setLane(arguments) }

  static let laneList = Verb(
    words: ["lane", "list"], summary: "Show an app's lanes with what they pin.",
    options: AdminClient.options + [TrackOptions.app, .flag("json", "Print them as JSON.")]
  ) { arguments throws(CommandFailure) in try listLanes(arguments) }

  static let laneRemove = Verb(
    words: ["lane", "remove"], summary: "Remove a lane.", positionals: "LANE", count: 1...1,
    options: AdminClient.options + [TrackOptions.app, TrackOptions.track],
    details: "Devices that ask for it then get 404: they keep their packs and get nothing new."
  ) { arguments throws(CommandFailure) in try removeLane(arguments) }

  private static func setLane(_ arguments: Arguments) throws(CommandFailure) {
    let bundleID = try arguments.required("app")
    let track = try TrackOptions.track(arguments)
    let name = arguments.positionals.first ?? ""
    var packs: [JSONValue] = []
    for text in arguments.positionals.dropFirst() {
      guard case (let identifier, let version?) = try TrackOptions.pack(text) else {
        throw CommandFailure("\(text) must be PACK@VERSION: the version is missing.", .usage)
      }
      packs.append(["assetPackIdentifier": .string(identifier), "version": .string(version)])
    }
    for pack in arguments.all("follow") { packs.append(["assetPackIdentifier": .string(pack), "version": .null]) }
    let client = try AdminClient(arguments)
    let app = try client.app(bundleID).id
    let answer: JSONValue
    if let id = try find(name, track, app: app, client) {
      answer = try client.patch(
        "v1/lanes/\(id)",
        [
          "data": [
            "type": "lanes", "id": .string(id),
            "attributes": ["packs": .array(packs), "confirmedRemovals": TrackOptions.confirmed(arguments)],
          ]
        ])
    } else {
      answer = try client.post(
        "v1/lanes",
        [
          "data": [
            "type": "lanes",
            "attributes": [
              "track": .string(track), "name": .string(name), "packs": .array(packs),
              "confirmedRemovals": TrackOptions.confirmed(arguments),
            ],
            "relationships": AdminClient.relationship("app", "apps", app),
          ]
        ])
    }
    let lane = answer["data"]?["attributes"] ?? .null
    if arguments.has("json") { Output.write(lane) } else { Output.write(text(lane)) }
  }

  private static func listLanes(_ arguments: Arguments) throws(CommandFailure) {
    let client = try AdminClient(arguments)
    let app = try client.app(try arguments.required("app")).id
    let lanes = try client.list("v1/apps/\(app)/lanes").map { $0["attributes"] ?? .null }
    if arguments.has("json") { return Output.write(["lanes": .array(lanes)]) }
    if lanes.isEmpty { Output.write("The app has no lanes.\n") }
    for lane in lanes { Output.write(text(lane)) }
  }

  private static func removeLane(_ arguments: Arguments) throws(CommandFailure) {
    let bundleID = try arguments.required("app")
    let track = try TrackOptions.track(arguments)
    let name = arguments.positionals.first ?? ""
    let client = try AdminClient(arguments)
    guard let id = try find(name, track, app: try client.app(bundleID).id, client) else {
      throw CommandFailure("\(track) of \(bundleID) has no lane \(name); see packhouse lane list.", .dataError)
    }
    try client.delete("v1/lanes/\(id)")
    Output.write("The lane \(name) of \(track) is removed; devices that ask for it keep their packs.\n")
  }

  private static func find(
    _ name: String, _ track: String, app: String, _ client: AdminClient
  ) throws(CommandFailure) -> String? {
    try client.list("v1/apps/\(app)/lanes", [(name: "filter[track]", value: track)])
      .first { $0["attributes"]?["name"]?.string == name }?["id"]?.string
  }

  private static func text(_ lane: JSONValue) -> String {
    let pins = (lane["packs"]?.array ?? []).map {
      "  \($0["assetPackIdentifier"]?.string ?? "") stays at version \($0["version"]?.string ?? "")\n"
    }
    return "\(lane["track"]?.string ?? "")  \(lane["name"]?.string ?? "")  \(lane["manifestURL"]?.string ?? "")\n"
      + pins.joined()
  }
}
