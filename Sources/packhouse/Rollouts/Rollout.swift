import AssetPacks
import JSONText

extension Verb {
  static let rolloutStart = Verb(
    words: ["rollout", "start"], summary: "Release new versions to a share of a track's clients.",
    positionals: "PACK[@VERSION]…", count: 1...1000,
    options: AdminClient.options + [
      TrackOptions.app, .value("track", "TRACK", "production or beta."),
      .value("percent", "N", "The share of clients that get them: 0 to 100."), TrackOptions.confirm,
      .flag("json", "Print the rollout as JSON."),
    ],
    details: "The other clients keep what is live. Without @VERSION, the newest complete version is used."
  ) { arguments throws(CommandFailure) in try startRollout(arguments) }

  static let rolloutChange = Verb(
    words: ["rollout", "change"], summary: "Raise the percentage of a rollout, pause, resume, finish or stop it.",
    options: AdminClient.options + [
      TrackOptions.app, .value("track", "TRACK", "production or beta."),
      .value("percent", "N", "The new percentage; it can only rise."),
      .flag("pause", "Keep the percentage where it is."),
      .flag("resume", "Resume a paused rollout."), .flag("finish", "Make the new versions live for all clients."),
      .flag("stop", "Give all clients the old bytes again, under new version numbers."), TrackOptions.confirm,
      .flag("json", "Print the rollout as JSON."),
    ]
  ) { arguments throws(CommandFailure) in try changeRollout(arguments) }

  static let rolloutList = Verb(
    words: ["rollout", "list"], summary: "Show an app's rollouts, the newest first.",
    options: AdminClient.options + [TrackOptions.app, .flag("json", "Print them as JSON.")]
  ) { arguments throws(CommandFailure) in try listRollouts(arguments) }

  private static func startRollout(_ arguments: Arguments) throws(CommandFailure) {
    let bundleID = try arguments.required("app")
    var packs: [JSONValue] = []
    for text in arguments.positionals {
      let (identifier, version) = try TrackOptions.pack(text)
      var pack = JSONObject([("assetPackIdentifier", .string(identifier))])
      if let version { pack.set("version", .string(version)) }
      packs.append(.object(pack))
    }
    let attributes: JSONValue = [
      "track": .string(try TrackOptions.track(arguments)), "packs": .array(packs),
      "percent": .integer(try percent(try arguments.required("percent"))),
      "confirmedRemovals": TrackOptions.confirmed(arguments),
    ]
    let client = try AdminClient(arguments)
    let answer = try client.post(
      "v1/rollouts",
      [
        "data": [
          "type": "rollouts", "attributes": attributes,
          "relationships": AdminClient.relationship("app", "apps", try client.app(bundleID).id),
        ]
      ])
    show(answer["data"] ?? .null, arguments)
  }

  private static func changeRollout(_ arguments: Arguments) throws(CommandFailure) {
    let bundleID = try arguments.required("app")
    let track = try TrackOptions.track(arguments)
    var attributes = JSONObject([("confirmedRemovals", TrackOptions.confirmed(arguments))])
    if let text = arguments.value("percent") { attributes.set("percent", .integer(try percent(text))) }
    let moves = RolloutStateMachine.Event.allCases.map(\.rawValue).filter { arguments.has($0) }
    guard moves.count <= 1, moves.count == 1 || arguments.value("percent") != nil else {
      throw CommandFailure("Give --percent, or one of --pause, --resume, --finish and --stop.", .usage)
    }
    if let move = moves.first { attributes.set("state", .string(move)) }
    let client = try AdminClient(arguments)
    let app = try client.app(bundleID).id
    let rollouts = try client.list("v1/apps/\(app)/rollouts", [(name: "filter[track]", value: track)])
    let running = rollouts.first { ["RUNNING", "PAUSED"].contains($0["attributes"]?["state"]?.string ?? "") }
    guard let id = running?["id"]?.string else {
      throw CommandFailure("No rollout runs on \(track) of \(bundleID); see packhouse rollout list.", .dataError)
    }
    let answer = try client.patch(
      "v1/rollouts/\(id)",
      ["data": ["type": "rollouts", "id": .string(id), "attributes": .object(attributes)]])
    show(answer["data"] ?? .null, arguments)
  }

  private static func listRollouts(_ arguments: Arguments) throws(CommandFailure) {
    let client = try AdminClient(arguments)
    let app = try client.app(try arguments.required("app")).id
    let rollouts = try client.list("v1/apps/\(app)/rollouts")
    if arguments.has("json") { return Output.write(["rollouts": .array(rollouts.map { json($0) })]) }
    if rollouts.isEmpty { Output.write("The app has no rollouts yet.\n") }
    for rollout in rollouts { Output.write(text(rollout)) }
  }

  private static func percent(_ text: String) throws(CommandFailure) -> Int {
    guard let value = Int(text), (0...100).contains(value) else {
      throw CommandFailure("--percent must be a whole number from 0 to 100, not \(text).", .usage)
    }
    return value
  }

  private static func show(_ rollout: JSONValue, _ arguments: Arguments) {
    if arguments.has("json") { Output.write(json(rollout)) } else { Output.write(text(rollout)) }
  }

  private static func json(_ rollout: JSONValue) -> JSONValue {
    var object = rollout["attributes"]?.object ?? JSONObject()
    object.set("id", rollout["id"] ?? .null)
    return .object(object)
  }

  private static func text(_ rollout: JSONValue) -> String {
    let attributes = rollout["attributes"] ?? .null
    let packs = (attributes["packs"]?.array ?? []).map { pack in
      "  \(pack["assetPackIdentifier"]?.string ?? "") version \(pack["version"]?.string ?? ""), the others version "
        + "\(pack["previousVersion"]?.string ?? "")\n"
    }
    return "\(attributes["track"]?.string ?? "")  \(attributes["state"]?.string ?? "")  "
      + "\(attributes["percent"]?.int ?? 0) %  \(attributes["createdDate"]?.string ?? "")\n" + packs.joined()
  }
}
