import AssetPacks
import HTTPCore
import JSONText
import PackStore

// `reviewDecisions`: what reviewers say of a submission or of one of its items.
extension AdminResources {
  var decisionRoutes: [Route] {
    [
      Route(
        .get, "/v1/reviewSubmissions/{id}/decisions", .viewer, listDecisions,
        .lists(Self.decisionList, "The verdicts on a submission")),
      Route(
        .post, "/v1/reviewDecisions", .reviewer, decide,
        .creates(
          Self.decisionShape, "A verdict on a submission or on one of its items",
          attributes: [
            ("decision", Schema.choice(of: ReviewVerdict.self)), ("reason", Schema.optional(Schema.text(1...4000))),
          ], required: ["decision"],
          alternatives: [
            ("reviewSubmission", "reviewSubmissions"), ("reviewSubmissionItem", "reviewSubmissionItems"),
          ])),
      Route(.get, "/v1/reviewDecisions/{id}", .viewer, readDecision, .reads(Self.oneDecision, "One verdict")),
    ]
  }

  private static let decisionShape = ResourceShape(
    type: "reviewDecisions",
    attributes: [
      ("decision", Schema.choice(of: ReviewVerdict.self)), ("reason", Schema.optional(Schema.text)),
      ("reviewer", Schema.text), ("createdDate", Schema.date),
    ],
    relationships: [
      ResourceShape.Relationship(name: "reviewSubmission", type: "reviewSubmissions"),
      ResourceShape.Relationship(name: "reviewSubmissionItem", type: "reviewSubmissionItems"),
    ])
  private static let decisionList = QueryShape(resource: decisionShape, isPlainList: true)
  private static let oneDecision = QueryShape(resource: decisionShape)

  private func listDecisions(_ context: RequestContext) throws(APIFailure) -> Message {
    let query = try Query(context.request, Self.decisionList)
    let submission = try submission(context, context.id)
    let page = try stored { () throws(StoreFailure) in
      try store.reviewDecisions(submission: submission.id, page: query.page)
    }
    return list(page, query, Self.resource)
  }

  private func readDecision(_ context: RequestContext) throws(APIFailure) -> Message {
    let query = try Query(context.request, Self.oneDecision)
    let decision = try stored { () throws(StoreFailure) in try store.reviewDecision(context.id) }
    let submission = try stored { () throws(StoreFailure) in try store.reviewSubmission(decision.submissionID) }
    try context.mustSee(app: submission.appID, "review decision", context.id)
    return single(Self.resource(decision), query)
  }

  private func decide(_ context: RequestContext) throws(APIFailure) -> Message {
    let body = try RequestDocument(
      context.request, type: "reviewDecisions", attributes: ["decision", "reason"],
      relationships: ["reviewSubmission", "reviewSubmissionItem"])
    let (verdict, reason) = try RequestDocument.shaped { () throws(JSONShapeFailure) in
      let verdict = try body.attributes.required("decision", expected: "a decision").choice(of: ReviewVerdict.self)
      let reason = try Self.reason(body)
      if verdict == .reject, reason == nil {
        _ = try body.attributes.required("reason", expected: "what is wrong, for those who submitted it")
      }
      return (verdict, reason)
    }
    let target = try target(context, body)
    guard let identity = context.identity else { throw APIFailure(.forbidden, "A review needs a token.") }
    let outcome = try stored { () throws(StoreFailure) in
      try store.decideReview(target, verdict, reason: reason, role: identity.role, actor: context.actor)
    }
    serve(outcome)
    guard let decision = outcome.decision else {
      throw APIFailure(.internalFailure, "The decision was kept and cannot be read.")
    }
    return single(status: 201, Self.resource(decision))
  }

  /// What the decision is on: one of the two relationships.
  private func target(_ context: RequestContext, _ body: RequestDocument) throws(APIFailure) -> ReviewTarget {
    guard body.hasRelationship("reviewSubmissionItem") else {
      let id = try body.related("reviewSubmission", type: "reviewSubmissions")
      let found = try storedRelated("reviewSubmission") { () throws(StoreFailure) in try store.reviewSubmission(id) }
      try context.mustSee(app: found.appID, "review submission", id)
      return .submission(id)
    }
    if body.hasRelationship("reviewSubmission") {
      throw APIFailure(
        .valueInvalid, "Both reviewSubmission and reviewSubmissionItem are given; expected one of them.",
        source: .pointer("/data/relationships"))
    }
    let id = try body.related("reviewSubmissionItem", type: "reviewSubmissionItems")
    let found = try storedRelated("reviewSubmissionItem") { () throws(StoreFailure) in try store.reviewItem(id) }
    try context.mustSee(app: found.appID, "review item", id)
    return .item(id)
  }

  private static func resource(_ decision: ReviewDecisionRecord) -> ResourceObject {
    var relationships = [("reviewSubmission", "reviewSubmissions", decision.submissionID)]
    if let item = decision.itemID { relationships.append(("reviewSubmissionItem", "reviewSubmissionItems", item)) }
    return ResourceObject(
      type: "reviewDecisions", id: decision.id,
      attributes: JSONObject([
        ("decision", .string(decision.verdict.rawValue)), ("reason", .optional(decision.reason)),
        ("reviewer", .string(decision.reviewer.name)), ("createdDate", .time(decision.at)),
      ]), relationships: relationships, path: "/v1/reviewDecisions/\(decision.id)")
  }
}
