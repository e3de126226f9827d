import JSONText

extension Verb {
  static let reviewSubmit = Verb(
    words: ["review", "submit"], summary: "Submit versions together for review on a track.",
    positionals: "PACK[@VERSION]…", count: 0...1000,
    options: reviewOptions + [
      .value("from", "TRACK", "Submit what is live on this track and newer than on --track."),
      .value("confirm-removal", "PACK", "A pack that may disappear from a manifest; devices delete it.", repeats: true),
      .value(
        "rollout-percent", "N",
        "When approved, start a rollout to N percent of clients; continue with packhouse rollout."),
      .value("submission", "ID", "Submit this one again after its rejected versions were resolved or removed."),
      .value("reason", "TEXT", "A note for the audit log."),
    ],
    details: "Without @VERSION, the newest complete version is used. With the review policy none they go live at "
      + "once.\nWith --submission, rejected versions count as resolved; on the beta track the pack's newest version "
      + "replaces them. Name packs to remove them instead."
  ) { arguments throws(CommandFailure) in try submit(arguments) }

  private static func submit(_ arguments: Arguments) throws(CommandFailure) {
    let client = try AdminClient(arguments)
    if let id = arguments.value("submission") { return try submitAgain(id, arguments, client) }
    let track = try reviewTrack(arguments)
    let app = try client.app(try arguments.required("app")).id
    var packs: [PackReference] = []
    for text in arguments.positionals { packs.append(try PackReference(text)) }
    if let source = arguments.value("from") {
      guard packs.isEmpty else { throw CommandFailure("Pass packs or --from, not both.", .usage) }
      packs = try promotable(app: app, from: source, to: track, client)
    }
    guard !packs.isEmpty else { throw CommandFailure("Nothing to submit; name packs or pass --from TRACK.", .usage) }
    var versions: [String] = []
    for pack in packs { versions.append(try client.version(pack, app: app)) }
    var attributes = JSONObject([
      ("track", .string(track)),
      ("confirmedRemovals", .array(arguments.all("confirm-removal").map { .string($0) })),
    ])
    if let text = arguments.value("rollout-percent") {
      guard let percent = Int(text), (0...100).contains(percent) else {
        throw CommandFailure("--rollout-percent must be a whole number from 0 to 100, not \(text).", .usage)
      }
      attributes.set("rolloutPercent", .integer(percent))
    }
    let draft = try client.post(
      "v1/reviewSubmissions",
      [
        "data": [
          "type": "reviewSubmissions",
          "attributes": .object(attributes),
          "relationships": AdminClient.relationship("app", "apps", app),
        ]
      ])
    guard let id = draft["data"]?["id"]?.string else {
      throw CommandFailure("The server's answer has no submission id; is it Packhouse?", .dataError)
    }
    do throws(CommandFailure) {
      for version in versions { try add(version, to: id, client) }
      try client.change(submission: id, [("submitted", true)] + note(arguments))
    } catch {
      // A draft that nobody knows of would keep its versions from every other submission.
      try? client.change(submission: id, [("canceled", true)])
      throw error
    }
    try report(id, arguments, client)
  }

  /// Resolves what was rejected, without the packs that are named, and submits.
  private static func submitAgain(_ id: String, _ arguments: Arguments, _ client: AdminClient) throws(CommandFailure) {
    var dropped: [PackReference] = []
    for text in arguments.positionals { dropped.append(try PackReference(text)) }
    let submission = try client.submission(id)
    for item in submission.openItems {
      guard let itemID = item["id"]?.string else { continue }
      if dropped.contains(where: { $0.matches(item) }) {
        try client.change(item: itemID, [("removed", true)] + note(arguments))
      } else if item["attributes"]?["state"]?.string == "REJECTED" {
        if submission.track == "beta" {
          try replace(item, of: submission, arguments, client)
        } else {
          try client.change(item: itemID, [("resolved", true)] + note(arguments))
        }
      }
    }
    try client.change(submission: id, [("submitted", true)] + note(arguments))
    try report(id, arguments, client)
  }

  /// Puts the newest version of the pack in the place of one that was rejected for good.
  private static func replace(
    _ item: JSONValue, of submission: AdminClient.Submission, _ arguments: Arguments, _ client: AdminClient
  ) throws(CommandFailure) {
    let identifier = item["attributes"]?["assetPackIdentifier"]?.string ?? ""
    // Its successor may be there already, when a run before this one broke off.
    let isReplaced = submission.openItems.contains { other in
      other["attributes"]?["assetPackIdentifier"]?.string == identifier
        && other["attributes"]?["state"]?.string != "REJECTED"
    }
    if !isReplaced {
      let newest = try client.version(try PackReference(identifier), app: submission.app)
      guard newest != item["relationships"]?["backgroundAssetVersion"]?["data"]?["id"]?.string else {
        let number = item["attributes"]?["version"]?.string ?? ""
        throw CommandFailure(
          "\(identifier) version \(number) was rejected for the beta, which is final; push a new version first.",
          .dataError)
      }
      try add(newest, to: submission.id, client)
    }
    try client.change(item: item["id"]?.string ?? "", [("removed", true)] + note(arguments))
  }

  private static func add(_ version: String, to submission: String, _ client: AdminClient) throws(CommandFailure) {
    var relationships = AdminClient.relationship("reviewSubmission", "reviewSubmissions", submission).object ?? .init()
    relationships.set(
      "backgroundAssetVersion", ["data": ["type": "backgroundAssetVersions", "id": .string(version)]])
    _ = try client.post(
      "v1/reviewSubmissionItems",
      ["data": ["type": "reviewSubmissionItems", "relationships": .object(relationships)]])
  }

  /// What is live on one track with a higher number than on another.
  private static func promotable(
    app: String, from source: String, to track: String, _ client: AdminClient
  ) throws(CommandFailure) -> [PackReference] {
    let tracks = try client.list("v1/apps/\(app)/tracks")
    func live(_ name: String) throws(CommandFailure) -> [(String, Int)] {
      guard let found = tracks.first(where: { $0["id"]?.string == name }) else {
        throw CommandFailure("--from must be internal or beta, not \(name).", .usage)
      }
      return (found["attributes"]?["packs"]?.array ?? []).map {
        ($0["assetPackIdentifier"]?.string ?? "", Int($0["version"]?.string ?? "") ?? 0)
      }
    }
    let there = Dictionary(try live(track), uniquingKeysWith: max)
    var packs: [PackReference] = []
    for (identifier, number) in try live(source) where number > there[identifier] ?? 0 {
      packs.append(try PackReference("\(identifier)@\(number)"))
    }
    guard !packs.isEmpty else {
      throw CommandFailure("Nothing on \(source) is newer than on \(track).", .dataError)
    }
    return packs
  }

  private static func note(_ arguments: Arguments) -> [(String, JSONValue)] {
    arguments.value("reason").map { [("reason", .string($0))] } ?? []
  }
}
