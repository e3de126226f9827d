import JSONText

extension Verb {
  static let rollback = Verb(
    words: ["rollback"], summary: "Make the bytes of an earlier version live again, under a new number.",
    positionals: "PACK", count: 1...1,
    options: AdminClient.options + [
      TrackOptions.app, TrackOptions.track,
      .value("to", "VERSION", "The version to go back to (else the one that was live before)."),
      TrackOptions.confirm, .flag("json", "Print what was done as JSON."),
    ],
    details: "Devices ignore lower numbers, so the old bytes get the pack's next one."
  ) { arguments throws(CommandFailure) in try rollback(arguments) }

  private static func rollback(_ arguments: Arguments) throws(CommandFailure) {
    let bundleID = try arguments.required("app")
    let pack = arguments.positionals.first ?? ""
    var attributes = JSONObject([
      ("track", .string(try TrackOptions.track(arguments))), ("assetPackIdentifier", .string(pack)),
      ("confirmedRemovals", TrackOptions.confirmed(arguments)),
    ])
    if let number = arguments.value("to") {
      attributes.set("version", .string(try TrackOptions.version(number, in: "--to")))
    }
    let client = try AdminClient(arguments)
    let answer = try client.post(
      "v1/rollbacks",
      [
        "data": [
          "type": "rollbacks", "attributes": .object(attributes),
          "relationships": AdminClient.relationship("app", "apps", try client.app(bundleID).id),
        ]
      ])
    let done = answer["data"]?["attributes"] ?? .null
    if arguments.has("json") { return Output.write(done) }
    let (version, source) = (done["version"]?.string ?? "", done["sourceVersion"]?.string ?? "")
    Output.write(
      "\(pack) version \(version) has the bytes of version \(source) and is \(done["state"]?.string ?? ""), "
        + "before: version \(done["previousVersion"]?.string ?? "")\n\(done["manifestURL"]?.string ?? "")\n")
  }
}
