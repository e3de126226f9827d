import JSONText

extension Verb {
  static let reviewApprove = Verb(
    words: ["review", "approve"],
    summary: "Approve what is waiting for review; it goes live when all of it is approved.",
    positionals: "[PACK[@VERSION]…]", count: 0...1000,
    options: reviewOptions + [submissionOption, .value("reason", "TEXT", "A comment.")],
    details: whichSubmission
  ) { arguments throws(CommandFailure) in try decide("approve", arguments, reason: arguments.value("reason")) }

  static let reviewReject = Verb(
    words: ["review", "reject"], summary: "Reject what is waiting for review, with a reason.",
    positionals: "[PACK[@VERSION]…]", count: 0...1000,
    options: reviewOptions + [
      submissionOption, .value("reason", "TEXT", "What is wrong, for the submitter."),
    ],
    details: whichSubmission
  ) { arguments throws(CommandFailure) in
    try decide("reject", arguments, reason: try arguments.required("reason"))
  }

  static let reviewWithdraw = Verb(
    words: ["review", "withdraw"], summary: "Withdraw a submission, or some of its versions.",
    positionals: "[PACK[@VERSION]…]", count: 0...1000,
    options: reviewOptions + [submissionOption, .value("reason", "TEXT", "A note for the audit log.")],
    details: whichSubmission
  ) { arguments throws(CommandFailure) in try withdraw(arguments) }

  private static let submissionOption = Option.value(
    "submission", "ID", "The submission; by default the one of --app and --track with these packs.")

  private static let whichSubmission =
    "Without packs, the whole submission is meant. Pass --submission when several match."

  private static func decide(_ decision: String, _ arguments: Arguments, reason: String?) throws(CommandFailure) {
    let client = try AdminClient(arguments)
    let (submission, items) = try find(arguments, client, states: ["WAITING_FOR_REVIEW", "IN_REVIEW"])
    if items.isEmpty {
      try client.decide(decision, "reviewSubmission", "reviewSubmissions", submission.id, reason: reason)
    }
    for id in items {
      try client.decide(decision, "reviewSubmissionItem", "reviewSubmissionItems", id, reason: reason)
    }
    try report(submission.id, arguments, client)
  }

  private static func withdraw(_ arguments: Arguments) throws(CommandFailure) {
    let client = try AdminClient(arguments)
    let (submission, items) = try find(arguments, client, states: openStates)
    let note = arguments.value("reason").map { [("reason", JSONValue.string($0))] } ?? []
    // All of its packs are the same as none: the last one cannot be taken out alone.
    if items.isEmpty || items.count == submission.openItems.count {
      try client.change(submission: submission.id, [("canceled", true)] + note)
    } else {
      for id in items { try client.change(item: id, [("removed", true)] + note) }
    }
    try report(submission.id, arguments, client)
  }

  /// The submission that is meant, and the ids of its items that are named; none for the whole.
  private static func find(
    _ arguments: Arguments, _ client: AdminClient, states: [String]
  ) throws(CommandFailure) -> (AdminClient.Submission, [String]) {
    var packs: [PackReference] = []
    for text in arguments.positionals { packs.append(try PackReference(text)) }
    var candidates: [AdminClient.Submission]
    if let id = arguments.value("submission") {
      candidates = [try client.submission(id)]
    } else {
      let app = try client.app(try arguments.required("app")).id
      candidates = try client.submissions(app: app, track: try reviewTrack(arguments), states: states)
    }
    candidates.removeAll { submission in
      !packs.allSatisfy { pack in submission.openItems.contains { pack.matches($0) } }
    }
    let what = packs.isEmpty ? "" : " with \(arguments.positionals.joined(separator: ", "))"
    guard let submission = candidates.first else {
      throw CommandFailure("No submission\(what) matches; see packhouse review list.", .dataError)
    }
    guard candidates.count == 1 else {
      let ids = candidates.map(\.id).joined(separator: ", ")
      throw CommandFailure("Several submissions\(what) match; choose one with --submission: \(ids).", .usage)
    }
    return (
      submission,
      submission.openItems.filter { item in packs.contains { $0.matches(item) } }.compactMap { $0["id"]?.string }
    )
  }
}
