import AssetPacks
import HTTPCore
import JSONText
import PackStore

// `reviewSubmissions`: versions that are reviewed together and go live as one.
extension AdminResources {
  var reviewRoutes: [Route] { submissionRoutes + reviewItemRoutes + decisionRoutes }

  private var submissionRoutes: [Route] {
    [
      Route(
        .get, "/v1/reviewSubmissions", .viewer, .list, listSubmissions,
        .lists(Self.submissionList, "The review submissions, newest first")),
      Route(
        .post, "/v1/reviewSubmissions", .publisher, .body("app", .app), Self.newSubmission, createSubmission,
        .creates(Self.submissionShape, "A draft of a submission")),
      Route(
        .get, "/v1/reviewSubmissions/{id}", .viewer, .path(.submission), readSubmission,
        .reads(Self.oneSubmission, "One review submission")),
      Route(
        .patch, "/v1/reviewSubmissions/{id}", .publisher, .path(.submission), Self.submissionChange, changeSubmission,
        .updates(Self.submissionShape, "Submits a submission, or withdraws it")),
    ]
  }

  private static let newSubmission = BodyShape(
    "reviewSubmissions", Field("platform", platform), Field("track", reviewedTrack, or: .production),
    Field("confirmedRemovals", identifiers, or: []), Field("rolloutPercent", .integer(0...100)))

  /// Whether it is submitted or withdrawn, which packs may disappear, and why.
  private static let submissionChange = BodyShape(
    "reviewSubmissions", Field("submitted", .on, or: false), Field("canceled", .on, or: false),
    Field("confirmedRemovals", identifiers), .reviewReason
  ).then { (body, attributes) throws(JSONShapeFailure) in
    let (isSubmitted, isCanceled, removals, _) = body
    if isSubmitted, isCanceled {
      throw try attributes.required("canceled").outOfRange("submitted or canceled, not both")
    }
    if isCanceled, removals != nil {
      throw try attributes.required("confirmedRemovals").outOfRange("nothing beside canceled")
    }
    return body
  }

  private static let platform = ValueShape<Platform>(Schema.choice(Platform.allCases.map(\.apiName))) {
    (value) throws(JSONShapeFailure) in
    let name = try value.string(bytes: 1...20)
    if let platform = Platform.allCases.first(where: { $0.apiName == name }) { return platform }
    throw value.outOfRange("one of \(Platform.allCases.map(\.apiName).joined(separator: ", "))")
  }

  /// The store explains why the internal track has no review.
  private static let reviewedTrack = ValueShape<Track>(
    Schema.choice([Track.beta.rawValue, Track.production.rawValue])
  ) { (value) throws(JSONShapeFailure) in try value.choice(of: Track.self) }

  private static let identifiers = ValueShape<[String]>.list(
    .text(1...128, pattern: "^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$"), 0...1000
  ).map { Set($0) }

  static let submissionShape = ResourceShape(
    type: "reviewSubmissions",
    attributes: [
      ("platform", Schema.optional(platform.schema)), ("track", reviewedTrack.schema),
      ("state", Schema.choice(of: ReviewSubmissionState.self)), ("submittedDate", Schema.optional(Schema.date)),
      ("submittedBy", Schema.optional(Schema.text)), ("confirmedRemovals", Schema.list(Schema.text)),
      ("rolloutPercent", Schema.optional(Schema.integer(from: 0, to: 100))), ("createdDate", Schema.date),
    ],
    relationships: [
      ResourceShape.Relationship(name: "app", type: "apps"),
      ResourceShape.Relationship(name: "items", type: "reviewSubmissionItems", number: .many),
    ])

  private static let submissionIncludes = [
    QueryShape.Include(name: "items", resource: reviewItemShape, limit: (most: 50, usual: 10))
  ]
  private static let submissionList = QueryShape(
    resource: submissionShape, list: .reviewSubmissions, includes: submissionIncludes)
  private static let oneSubmission = QueryShape(resource: submissionShape, includes: submissionIncludes)

  private func listSubmissions(
    _ context: RequestContext, _ scope: AppScope, _ query: Query
  ) throws(APIFailure) -> Message {
    let page = try stored { () throws(StoreFailure) in
      try store.reviewSubmissions(of: scope.id, query.listing(.reviewSubmissions))
    }
    let items = try items(of: page.items, query)
    return list(page, query, included: items.included) { resource($0, items) }
  }

  private func readSubmission(
    _ context: RequestContext, _ submission: ReviewSubmissionRecord, _ query: Query
  ) throws(APIFailure) -> Message {
    let items = try items(of: [submission], query)
    return single(resource(submission, items), query, included: items.included)
  }

  /// The items of an answer's submissions, as far as the query asks for them.
  private struct SubmissionItems {
    var pages: [String: Page<ReviewItemRecord>] = [:]
    var limit = 0

    var included: [ResourceObject] { pages.values.flatMap { $0.items.map(AdminResources.resource) } }
  }

  private func items(of submissions: [ReviewSubmissionRecord], _ query: Query) throws(APIFailure) -> SubmissionItems {
    var items = SubmissionItems()
    guard query.include.contains("items") else { return items }
    items.limit = query.limit(of: "items")
    for submission in submissions {
      items.pages[submission.id] = try stored { () throws(StoreFailure) in
        try store.reviewItems(submission: submission.id, page: PageRequest(limit: items.limit))
      }
    }
    return items
  }

  private func createSubmission(
    _ context: RequestContext, _ app: AppRecord, _ body: (Platform?, Track, Set<String>, Int?)
  ) throws(APIFailure) -> Message {
    let (platform, track, removals, percent) = body
    let submission = try stored(pointer: "/data/attributes") { () throws(StoreFailure) in
      try store.createReviewSubmission(
        app: app.id, track: track, platform: platform, confirmedRemovals: removals, rolloutPercent: percent,
        actor: context.actor)
    }
    return single(status: 201, resource(submission))
  }

  private func changeSubmission(
    _ context: RequestContext, _ submission: ReviewSubmissionRecord, _ body: (Bool, Bool, Set<String>?, String?)
  ) throws(APIFailure) -> Message {
    let (isSubmitted, isCanceled, removals, reason) = body
    if isSubmitted {
      _ = try stored { () throws(StoreFailure) in
        try store.submitReview(submission.id, confirmedRemovals: removals, reason: reason, actor: context.actor)
      }
    } else if let removals {
      _ = try stored(pointer: "/data/attributes/confirmedRemovals") { () throws(StoreFailure) in
        try store.updateReviewSubmission(submission.id, confirmedRemovals: removals, actor: context.actor)
      }
    } else if isCanceled {
      _ = try stored { () throws(StoreFailure) in
        try store.withdrawReview(submission.id, reason: reason, actor: context.actor)
      }
    }
    let changed = try stored { () throws(StoreFailure) in try store.reviewSubmission(submission.id) }
    return single(resource(changed))
  }

  private func resource(_ submission: ReviewSubmissionRecord, _ items: SubmissionItems = .init()) -> ResourceObject {
    let path = "/v1/reviewSubmissions/\(submission.id)"
    let target = items.pages[submission.id].map { page in
      ResourceObject.Related.Target.many(
        page.items.map { ("reviewSubmissionItems", $0.id) }, total: page.total, limit: items.limit)
    }
    return ResourceObject(
      type: "reviewSubmissions", id: submission.id,
      attributes: JSONObject([
        ("platform", .optional(submission.platform?.apiName)), ("track", .string(submission.track.rawValue)),
        ("state", .string(submission.state.rawValue)),
        ("submittedDate", submission.submitted.map { .time($0) } ?? .null),
        ("submittedBy", .optional(submission.submitter?.name)),
        ("confirmedRemovals", .array(submission.confirmedRemovals.map { .string($0) })),
        ("rolloutPercent", submission.rolloutPercent.map { .integer($0) } ?? .null),
        ("createdDate", .time(submission.created)),
      ]), relationships: [("app", "apps", submission.appID)], path: path,
      related: [ResourceObject.Related(name: "items", target: target ?? .unknown, path: "\(path)/items")])
  }
}

extension Field<String?> {
  /// What somebody says about a step; up to 4000 bytes.
  static var reviewReason: Field { Field("reason", .text(1...4000)) }
}

extension Owned<ReviewSubmissionRecord> {
  static var submission: Owned {
    Owned(
      kind: .reviewSubmission, type: "reviewSubmissions",
      find: { (store, id) throws(StoreFailure) in try store.reviewSubmission(id) },
      app: { $0.appID })
  }
}
