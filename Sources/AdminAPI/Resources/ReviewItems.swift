import AssetPacks
import HTTPCore
import JSONText
import PackStore

// `reviewSubmissionItems`: the versions of a submission. `reviewDecisions`: what reviewers say of them.
extension AdminResources {
  func listReviewItems(_ call: Call) throws(APIFailure) -> Message {
    let query = try Query(call.request)
    let submission = try submission(call, call.id)
    let page = try stored { () throws(StoreFailure) in
      try store.reviewItems(submission: submission.id, page: query.page)
    }
    return list(page, query, Self.resource)
  }

  func readReviewItem(_ call: Call) throws(APIFailure) -> Message { single(Self.resource(try reviewItem(call))) }

  func createReviewItem(_ call: Call) throws(APIFailure) -> Message {
    let body = try RequestDocument(
      call.request, type: "reviewSubmissionItems", relationships: ["reviewSubmission", "backgroundAssetVersion"])
    let submissionID = try body.related("reviewSubmission", type: "reviewSubmissions")
    let versionID = try body.related("backgroundAssetVersion", type: "backgroundAssetVersions")
    let submission = try storedRelated("reviewSubmission") { () throws(StoreFailure) in
      try store.reviewSubmission(submissionID)
    }
    try call.mustSee(app: submission.appID, "review submission", submissionID)
    let item = try storedRelated("backgroundAssetVersion") { () throws(StoreFailure) in
      try store.addReviewItem(submission: submission.id, version: versionID, actor: call.actor)
    }
    return single(status: 201, Self.resource(item))
  }

  func changeReviewItem(_ call: Call) throws(APIFailure) -> Message {
    let item = try reviewItem(call)
    let body = try RequestDocument(
      call.request, type: "reviewSubmissionItems", id: call.id, attributes: ["resolved", "removed", "reason"])
    let (isRemoved, reason) = try RequestDocument.shaped { () throws(JSONShapeFailure) in
      let isResolved = try Self.isTrue(body, "resolved")
      let isRemoved = try Self.isTrue(body, "removed")
      if isResolved == isRemoved {
        throw try body.attributes.required("resolved", expected: "resolved or removed, one of them true").outOfRange(
          "resolved or removed, not both")
      }
      return (isRemoved, try Self.reason(body))
    }
    let changed = try stored { () throws(StoreFailure) in
      isRemoved
        ? try store.removeReviewItem(item.id, reason: reason, actor: call.actor)
        : try store.resolveReviewItem(item.id, reason: reason, actor: call.actor)
    }
    return single(Self.resource(changed))
  }

  func deleteReviewItem(_ call: Call) throws(APIFailure) -> Message {
    let item = try reviewItem(call)
    try stored { () throws(StoreFailure) in try store.deleteReviewItem(item.id, actor: call.actor) }
    return Message(status: 204, contentType: nil, body: [], fields: [("Cache-Control", "no-store")])
  }

  func listDecisions(_ call: Call) throws(APIFailure) -> Message {
    let query = try Query(call.request)
    let submission = try submission(call, call.id)
    let page = try stored { () throws(StoreFailure) in
      try store.reviewDecisions(submission: submission.id, page: query.page)
    }
    return list(page, query, Self.resource)
  }

  func readDecision(_ call: Call) throws(APIFailure) -> Message {
    let decision = try stored { () throws(StoreFailure) in try store.reviewDecision(call.id) }
    let submission = try stored { () throws(StoreFailure) in try store.reviewSubmission(decision.submissionID) }
    try call.mustSee(app: submission.appID, "review decision", call.id)
    return single(Self.resource(decision))
  }

  func decide(_ call: Call) throws(APIFailure) -> Message {
    let body = try RequestDocument(
      call.request, type: "reviewDecisions", attributes: ["decision", "reason"],
      relationships: ["reviewSubmission", "reviewSubmissionItem"])
    let (verdict, reason) = try RequestDocument.shaped { () throws(JSONShapeFailure) in
      let verdict = try body.attributes.required("decision", expected: "a decision").choice(of: ReviewVerdict.self)
      let reason = try Self.reason(body)
      if verdict == .reject, reason == nil {
        _ = try body.attributes.required("reason", expected: "what is wrong, for those who submitted it")
      }
      return (verdict, reason)
    }
    let target = try target(call, body)
    guard let identity = call.identity else { throw APIFailure(.forbidden, "A review needs a token.") }
    let outcome = try stored { () throws(StoreFailure) in
      try store.decideReview(target, verdict, reason: reason, role: identity.role, actor: call.actor)
    }
    serve(outcome)
    guard let decision = outcome.decision else {
      throw APIFailure(.internalFailure, "The decision was kept and cannot be read.")
    }
    return single(status: 201, Self.resource(decision))
  }

  /// What the decision is on: one of the two relationships.
  private func target(_ call: Call, _ body: RequestDocument) throws(APIFailure) -> ReviewTarget {
    guard body.hasRelationship("reviewSubmissionItem") else {
      let id = try body.related("reviewSubmission", type: "reviewSubmissions")
      let found = try storedRelated("reviewSubmission") { () throws(StoreFailure) in try store.reviewSubmission(id) }
      try call.mustSee(app: found.appID, "review submission", id)
      return .submission(id)
    }
    if body.hasRelationship("reviewSubmission") {
      throw APIFailure(
        .valueInvalid, "Both reviewSubmission and reviewSubmissionItem are given; expected one of them.",
        source: .pointer("/data/relationships"))
    }
    let id = try body.related("reviewSubmissionItem", type: "reviewSubmissionItems")
    let found = try storedRelated("reviewSubmissionItem") { () throws(StoreFailure) in try store.reviewItem(id) }
    try call.mustSee(app: found.appID, "review item", id)
    return .item(id)
  }

  private func reviewItem(_ call: Call) throws(APIFailure) -> ReviewItemRecord {
    let item = try stored { () throws(StoreFailure) in try store.reviewItem(call.id) }
    try call.mustSee(app: item.appID, "review item", call.id)
    return item
  }

  private static func resource(_ item: ReviewItemRecord) -> Resource {
    Resource(
      type: "reviewSubmissionItems", id: item.id,
      attributes: JSONObject([
        ("state", .string(item.state.rawValue)), ("assetPackIdentifier", .string(item.assetPackIdentifier)),
        ("version", .string(String(item.number))), ("releaseState", .string(item.releaseState)),
        ("reason", .optional(item.reason)), ("createdDate", .time(item.created)),
      ]),
      relationships: [
        ("reviewSubmission", "reviewSubmissions", item.submissionID),
        ("backgroundAssetVersion", "backgroundAssetVersions", item.versionID),
      ], path: "/v1/reviewSubmissionItems/\(item.id)")
  }

  private static func resource(_ decision: ReviewDecisionRecord) -> Resource {
    var relationships = [("reviewSubmission", "reviewSubmissions", decision.submissionID)]
    if let item = decision.itemID { relationships.append(("reviewSubmissionItem", "reviewSubmissionItems", item)) }
    return Resource(
      type: "reviewDecisions", id: decision.id,
      attributes: JSONObject([
        ("decision", .string(decision.verdict.rawValue)), ("reason", .optional(decision.reason)),
        ("reviewer", .string(decision.reviewer.name)), ("createdDate", .time(decision.at)),
      ]), relationships: relationships, path: "/v1/reviewDecisions/\(decision.id)")
  }
}
