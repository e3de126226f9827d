import AssetPacks
import HTTPCore
import JSONText
import PackStore

// `reviewDecisions`: what reviewers decide on a submission or on one of its items.
extension AdminResources {
  var decisionRoutes: [Route] {
    [
      Route(
        .get, "/v1/reviewSubmissions/{id}/decisions", .viewer, .path(.submission), listDecisions,
        .lists(Self.decisionList, "The verdicts on a submission")),
      Route(
        .post, "/v1/reviewDecisions", .reviewer, .reviewTarget, Self.newDecision, decide,
        .creates(Self.decisionShape, "A verdict on a submission or on one of its items")),
      Route(
        .get, "/v1/reviewDecisions/{id}", .viewer, .path(.decision), readDecision,
        .reads(Self.oneDecision, "One verdict")),
    ]
  }

  private static let newDecision = BodyShape(
    "reviewDecisions", Field("decision", .choice(ReviewVerdict.self), expected: "a decision"), .reviewReason
  ).then { (body, attributes) throws(JSONShapeFailure) in
    if body.0 == .reject, body.1 == nil {
      _ = try attributes.required("reason", expected: "what is wrong, for those who submitted it")
    }
    return body
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

  private func listDecisions(
    _ context: RequestContext, _ submission: ReviewSubmissionRecord, _ query: Query
  ) throws(APIFailure) -> Message {
    let page = try stored { () throws(StoreFailure) in
      try store.reviewDecisions(submission: submission.id, page: query.page)
    }
    return list(page, query, Self.resource)
  }

  private func readDecision(
    _ context: RequestContext, _ found: SubmissionDecision, _ query: Query
  ) throws(APIFailure) -> Message {
    single(Self.resource(found.decision), query)
  }

  private func decide(
    _ context: RequestContext, _ target: ReviewTarget, _ body: (ReviewVerdict, String?)
  ) throws(APIFailure) -> Message {
    let (verdict, reason) = body
    guard let identity = context.identity else { throw APIFailure(.forbidden, "A review needs a token.") }
    let outcome = try stored { () throws(StoreFailure) in
      try store.decideReview(target, verdict, reason: reason, role: identity.role, actor: context.actor)
    }
    guard let decision = outcome.decision else {
      throw APIFailure(.internalFailure, "The decision was stored but cannot be read.")
    }
    return single(status: 201, Self.resource(decision))
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

/// A decision and the app of its submission.
struct SubmissionDecision: Sendable {
  let decision: ReviewDecisionRecord
  let appID: String
}

extension Owned<SubmissionDecision> {
  static var decision: Owned {
    Owned(
      kind: .reviewDecision, type: "reviewDecisions",
      find: { (store, id) throws(StoreFailure) in
        let decision = try store.reviewDecision(id)
        return SubmissionDecision(
          decision: decision, appID: try store.reviewSubmission(decision.submissionID).appID)
      }, app: { $0.appID })
  }
}

extension Scope<ReviewTarget> {
  /// The subject of a decision: one of two relationships.
  static var reviewTarget: Scope {
    let (submission, item) = ("reviewSubmission", "reviewSubmissionItem")
    let relationships = Relationships.oneOf([
      (submission, Owned.submission.type), (item, Owned.reviewItem.type),
    ])
    return Scope(.body, relationships) { (request) throws(APIFailure) in
      guard request.has(item) else { return .submission(try request.related(submission, .submission).id) }
      guard !request.has(submission) else {
        throw APIFailure(
          .valueInvalid, "Both \(submission) and \(item) are given; expected one of them.",
          source: .pointer("/data/relationships"))
      }
      return .item(try request.related(item, .reviewItem).id)
    }
  }
}
