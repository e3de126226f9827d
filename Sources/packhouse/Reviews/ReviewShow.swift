import JSONText

extension Verb {
  static let reviewList = Verb(
    words: ["review", "list"], summary: "List the review submissions of an app.",
    options: reviewOptions + [.flag("all", "Include those that have ended.")]
  ) { arguments throws(CommandFailure) in try listReviews(arguments) }

  static let reviewShow = Verb(
    words: ["review", "show"], summary: "Show a review submission with its versions and verdicts.",
    positionals: "SUBMISSION", count: 1...1, options: AdminClient.options + [.flag("json", "Print it as JSON.")]
  ) { arguments throws(CommandFailure) in
    try report(arguments.positionals.first ?? "", arguments, try AdminClient(arguments), withDecisions: true)
  }

  /// What most verbs of `review` take.
  static let reviewOptions: [Option] =
    AdminClient.options + [
      .value("app", "BUNDLE_ID", "The app."), .value("track", "TRACK", "beta or production."),
      .flag("json", "Print it as JSON."),
    ]

  /// The states in which a submission may still change.
  static let openStates = ["READY_FOR_REVIEW", "WAITING_FOR_REVIEW", "IN_REVIEW", "UNRESOLVED_ISSUES"]

  /// The track of `--track`, which must be one with reviews.
  static func reviewTrack(_ arguments: Arguments) throws(CommandFailure) -> String {
    let track = try arguments.required("track")
    guard ["beta", "production"].contains(track) else {
      throw CommandFailure("--track must be beta or production, which have reviews, not \(track).", .usage)
    }
    return track
  }

  private static func listReviews(_ arguments: Arguments) throws(CommandFailure) {
    let client = try AdminClient(arguments)
    let track = arguments.value("track") == nil ? nil : try reviewTrack(arguments)
    let app = try client.app(try arguments.required("app")).id
    let found = try client.submissions(app: app, track: track, states: arguments.has("all") ? [] : openStates)
    if arguments.has("json") { return Output.write(["reviewSubmissions": .array(found.map(\.json))]) }
    if found.isEmpty { return Output.write("Nothing is in review.\n") }
    let rows = found.map { submission -> [String] in
      let items = submission.openItems.isEmpty ? submission.items : submission.openItems
      return [
        submission.id, submission.track, submission.state, submission.attributes["submittedDate"]?.string ?? "–",
        submission.attributes["submittedBy"]?.string ?? "–", items.map(name).joined(separator: ", "),
      ]
    }
    Output.write(TextTable.text(["SUBMISSION", "TRACK", "STATE", "SUBMITTED", "BY", "VERSIONS"], rows))
  }

  /// Prints a submission as it is now.
  static func report(
    _ id: String, _ arguments: Arguments, _ client: AdminClient, withDecisions: Bool = false
  ) throws(CommandFailure) {
    let submission = try client.submission(id)
    let decisions = withDecisions ? try client.list("v1/reviewSubmissions/\(id)/decisions") : []
    if arguments.has("json") {
      var object = submission.json.object ?? JSONObject()
      if withDecisions { object.set("decisions", .array(decisions.map(AdminClient.flattened))) }
      return Output.write(.object(object))
    }
    let by = submission.attributes["submittedBy"]?.string.map { ", submitted by \($0)" } ?? ""
    var text = "\(submission.id) for \(submission.track): \(submission.state)\(by)\n"
    let removals = (submission.attributes["confirmedRemovals"]?.array ?? []).compactMap(\.string)
    if !removals.isEmpty { text += "May disappear from a manifest: \(removals.joined(separator: ", "))\n" }
    let rows = submission.items.map { item -> [String] in
      let attributes = item["attributes"]
      return [
        name(item), attributes?["state"]?.string ?? "", attributes?["releaseState"]?.string ?? "",
        attributes?["reason"]?.string ?? "",
      ]
    }
    if !rows.isEmpty { text += "\n" + TextTable.text(["VERSION", "ITEM", "RELEASE", "REASON"], rows) }
    if !decisions.isEmpty {
      let rows = decisions.map { decision -> [String] in
        let attributes = decision["attributes"]
        let itemID = decision["relationships"]?["reviewSubmissionItem"]?["data"]?["id"]?.string
        let item = submission.items.first { $0["id"]?.string == itemID }
        return [
          attributes?["createdDate"]?.string ?? "", attributes?["reviewer"]?.string ?? "",
          attributes?["decision"]?.string ?? "", item.map(name) ?? "all", attributes?["reason"]?.string ?? "",
        ]
      }
      text += "\n" + TextTable.text(["WHEN", "REVIEWER", "VERDICT", "ON", "REASON"], rows)
    }
    Output.write(text)
  }

  private static func name(_ item: JSONValue) -> String {
    let attributes = item["attributes"]
    return "\(attributes?["assetPackIdentifier"]?.string ?? "?")@\(attributes?["version"]?.string ?? "?")"
  }
}
