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
        .get, "/v1/reviewSubmissions", .viewer, listSubmissions,
        .lists(Self.submissionList, "The review submissions, the newest first")),
      Route(
        .post, "/v1/reviewSubmissions", .publisher, createSubmission,
        .creates(
          Self.submissionShape, "A draft of a submission",
          attributes: [
            ("platform", Schema.optional(Self.platforms)), ("track", Schema.optional(Self.reviewedTracks)),
            ("confirmedRemovals", Schema.optional(Self.identifiers)),
            ("rolloutPercent", Schema.optional(Schema.integer(from: 0, to: 100))),
          ], relationships: [("app", "apps")])),
      Route(
        .get, "/v1/reviewSubmissions/{id}", .viewer, readSubmission,
        .reads(Self.oneSubmission, "One review submission")),
      Route(
        .patch, "/v1/reviewSubmissions/{id}", .publisher, changeSubmission,
        .updates(
          Self.submissionShape, "Submits a submission, or takes it back",
          attributes: [
            ("submitted", Schema.optional(Schema.on)), ("canceled", Schema.optional(Schema.on)),
            ("confirmedRemovals", Schema.optional(Self.identifiers)),
            ("reason", Schema.optional(Schema.text(1...4000))),
          ])),
    ]
  }

  private static let platforms = Schema.choice(Platform.allCases.map(\.apiName))
  private static let reviewedTracks = Schema.choice([Track.beta.rawValue, Track.production.rawValue])
  private static let identifiers = Schema.list(
    Schema.text(pattern: "^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$"), 0...1000)

  static let submissionShape = ResourceShape(
    type: "reviewSubmissions",
    attributes: [
      ("platform", Schema.optional(platforms)), ("track", reviewedTracks),
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

  private func listSubmissions(_ context: RequestContext) throws(APIFailure) -> Message {
    let query = try Query(context.request, Self.submissionList)
    let page = try stored { () throws(StoreFailure) in
      try store.reviewSubmissions(of: context.identity?.appID, query.listing(.reviewSubmissions))
    }
    let items = try items(of: page.items, query)
    return list(page, query, included: items.included) { resource($0, items) }
  }

  private func readSubmission(_ context: RequestContext) throws(APIFailure) -> Message {
    let query = try Query(context.request, Self.oneSubmission)
    let submission = try submission(context, context.id)
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

  private func createSubmission(_ context: RequestContext) throws(APIFailure) -> Message {
    let body = try RequestDocument(
      context.request, type: "reviewSubmissions",
      attributes: ["platform", "track", "confirmedRemovals", "rolloutPercent"],
      relationships: ["app"])
    let (track, platform, removals, percent) = try RequestDocument.shaped { () throws(JSONShapeFailure) in
      let track = try body.attributes.optional("track")?.choice(of: Track.self) ?? .production
      let platform = try body.attributes.optional("platform").map { (cursor) throws(JSONShapeFailure) in
        try Self.platform(cursor)
      }
      let percent = try body.attributes.optional("rolloutPercent")?.integer(in: 0...100)
      return (track, platform, try Self.removals(body) ?? [], percent)
    }
    let app = try app(of: body, context)
    let submission = try stored(pointer: "/data/attributes") { () throws(StoreFailure) in
      try store.createReviewSubmission(
        app: app.id, track: track, platform: platform, confirmedRemovals: removals, rolloutPercent: percent,
        actor: context.actor)
    }
    return single(status: 201, resource(submission))
  }

  private func changeSubmission(_ context: RequestContext) throws(APIFailure) -> Message {
    let submission = try submission(context, context.id)
    let body = try RequestDocument(
      context.request, type: "reviewSubmissions", id: context.id,
      attributes: ["submitted", "canceled", "confirmedRemovals", "reason"])
    let (isSubmitted, isCanceled, removals, reason) = try RequestDocument.shaped { () throws(JSONShapeFailure) in
      let isSubmitted = try Self.isTrue(body, "submitted")
      let isCanceled = try Self.isTrue(body, "canceled")
      if isSubmitted, isCanceled {
        throw try body.attributes.required("canceled").outOfRange("submitted or canceled, not both")
      }
      let removals = try Self.removals(body)
      if isCanceled, removals != nil {
        throw try body.attributes.required("confirmedRemovals").outOfRange("nothing beside canceled")
      }
      return (isSubmitted, isCanceled, removals, try Self.reason(body))
    }
    if isSubmitted {
      let outcome = try stored { () throws(StoreFailure) in
        try store.submitReview(submission.id, confirmedRemovals: removals, reason: reason, actor: context.actor)
      }
      serve(outcome)
    } else if let removals {
      _ = try stored(pointer: "/data/attributes/confirmedRemovals") { () throws(StoreFailure) in
        try store.updateReviewSubmission(submission.id, confirmedRemovals: removals, actor: context.actor)
      }
    } else if isCanceled {
      _ = try stored { () throws(StoreFailure) in
        try store.withdrawReview(submission.id, reason: reason, actor: context.actor)
      }
    }
    return single(resource(try self.submission(context, context.id)))
  }

  /// The submission, when the token may see its app.
  func submission(_ context: RequestContext, _ id: String) throws(APIFailure) -> ReviewSubmissionRecord {
    let submission = try stored { () throws(StoreFailure) in try store.reviewSubmission(id) }
    try context.mustSee(app: submission.appID, "review submission", id)
    return submission
  }

  /// Makes what went live by a step of a review visible to devices.
  func serve(_ outcome: ReviewOutcome) {
    guard let release = outcome.release else { return }
    dependencies.published()
    if let failure = release.publicationFailure {
      log.error("The copies of the \(release.track.rawValue) manifests were not written: \(failure.sentence)")
    }
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

// Values of the bodies of reviews.
extension AdminResources {
  private static func platform(_ cursor: JSONCursor) throws(JSONShapeFailure) -> Platform {
    let name = try cursor.string(bytes: 1...20)
    if let platform = Platform.allCases.first(where: { $0.apiName == name }) { return platform }
    throw cursor.outOfRange("one of \(Platform.allCases.map(\.apiName).joined(separator: ", "))")
  }

  private static func removals(_ body: RequestDocument) throws(JSONShapeFailure) -> Set<String>? {
    body.attributes.optional("confirmedRemovals") == nil ? nil : try confirmedRemovals(body.attributes)
  }

  /// A switch that can only be turned on.
  static func isTrue(_ body: RequestDocument, _ name: String) throws(JSONShapeFailure) -> Bool {
    guard let flag = body.attributes.optional(name) else { return false }
    guard try flag.bool() else { throw flag.outOfRange("true", found: "false") }
    return true
  }

  /// What somebody says about a step; up to 4000 bytes.
  static func reason(_ body: RequestDocument) throws(JSONShapeFailure) -> String? {
    try body.attributes.optional("reason")?.string(bytes: 1...4000)
  }
}
