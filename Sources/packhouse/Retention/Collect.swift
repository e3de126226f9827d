import JSONText

extension Verb {
  static let collect = Verb(
    words: ["gc"], summary: "Delete the bytes of versions whose retention is over.",
    options: AdminClient.options + [
      .value("app", "BUNDLE_ID", "Only this app's."),
      .flag("dry-run", "Show what would be deleted, without deleting it."),
      .flag("json", "Print it as JSON."),
    ],
    details:
      "A version that is live, in a manifest or in a review is never collected. Others are collected once they are\n"
      + "past retention.supersededVersions and retention.supersededTime, and gc noticed so retention.grace ago."
  ) { arguments throws(CommandFailure) in try runCollection(arguments) }

  private static func runCollection(_ arguments: Arguments) throws(CommandFailure) {
    let client = try AdminClient(arguments)
    var data = JSONObject([
      ("type", "collections"), ("attributes", ["dryRun": .bool(arguments.has("dry-run"))]),
    ])
    if let bundleID = arguments.value("app") {
      data.set("relationships", AdminClient.relationship("app", "apps", try client.app(bundleID).id))
    }
    let answer = try client.post("v1/collections", ["data": .object(data)])
    let attributes = answer["data"]?["attributes"] ?? .null
    if arguments.has("json") { return Output.write(attributes) }
    let collected = attributes["collected"]?.array ?? []
    let waiting = attributes["waiting"]?.array ?? []
    if !collected.isEmpty || !waiting.isEmpty {
      var table = TextTable([
        .init(heading: "app"), .init(heading: "pack"), .init(heading: "version", isNumber: true),
        .init(heading: "size", isNumber: true), .init(heading: "deleted"),
      ])
      let done = arguments.has("dry-run") ? "now" : "done"
      for (list, state) in [(collected, done), (waiting, nil)] {
        for version in list {
          table.add([
            version["app"]?.string ?? "", version["assetPackIdentifier"]?.string ?? "",
            version["version"]?.string ?? "", TextTable.bytes(version["downloadSize"]?.int ?? 0),
            state ?? version["dueDate"]?.string ?? "",
          ])
        }
      }
      Output.write(table.text)
    }
    let verb = arguments.has("dry-run") ? "would be freed" : "freed"
    Output.write(
      "\(collected.count) versions, \(attributes["removedBlobs"]?.int ?? 0) files: "
        + "\(TextTable.bytes(attributes["freedBytes"]?.int ?? 0)) \(verb); \(waiting.count) versions wait\n")
  }
}
