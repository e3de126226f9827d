import AssetPacks
import HTTPCore
import JSONText
import PackStore

// `reviewSubmissions`: versions that are reviewed together and go live as one.
extension AdminResources {
  var reviewRoutes: [Route] {
    [
      Route(.get, "/v1/reviewSubmissions", .viewer, listSubmissions),
      Route(.post, "/v1/reviewSubmissions", .publisher, createSubmission),
      Route(.get, "/v1/reviewSubmissions/{id}", .viewer, readSubmission),
      Route(.patch, "/v1/reviewSubmissions/{id}", .publisher, changeSubmission),
      Route(.get, "/v1/reviewSubmissions/{id}/items", .viewer, listReviewItems),
      Route(.get, "/v1/reviewSubmissions/{id}/decisions", .viewer, listDecisions),
      Route(.post, "/v1/reviewSubmissionItems", .publisher, createReviewItem),
      Route(.get, "/v1/reviewSubmissionItems/{id}", .viewer, readReviewItem),
      Route(.patch, "/v1/reviewSubmissionItems/{id}", .publisher, changeReviewItem),
      Route(.delete, "/v1/reviewSubmissionItems/{id}", .publisher, deleteReviewItem),
      Route(.post, "/v1/reviewDecisions", .reviewer, decide),
      Route(.get, "/v1/reviewDecisions/{id}", .viewer, readDecision),
    ]
  }

  private func listSubmissions(_ call: Call) throws(APIFailure) -> Message {
    let query = try Query(
      call.request, allowing: ["filter[app]", "filter[track]", "filter[platform]", "filter[state]"])
    var filter = ReviewSubmissionFilter(app: query["filter[app]"], track: try query.choice("filter[track]", Track.self))
    if let name = query["filter[platform]"] { filter.platform = try Self.platform(name, of: "filter[platform]") }
    if let names = query["filter[state]"] { filter.states = try Self.states(names) }
    if let app = filter.app { try call.mustSee(app: app, "app", app) }
    if let only = call.identity?.appID { filter.app = only }
    let page = try stored { () throws(StoreFailure) in
      if let app = filter.app { _ = try store.app(app) }
      return try store.reviewSubmissions(filter, page: query.page)
    }
    return list(page, query, Self.resource)
  }

  private func readSubmission(_ call: Call) throws(APIFailure) -> Message {
    single(Self.resource(try submission(call, call.id)))
  }

  private func createSubmission(_ call: Call) throws(APIFailure) -> Message {
    let body = try RequestDocument(
      call.request, type: "reviewSubmissions", attributes: ["platform", "track", "confirmedRemovals"],
      relationships: ["app"])
    let (track, platform, removals) = try RequestDocument.shaped { () throws(JSONShapeFailure) in
      let track = try body.attributes.optional("track")?.choice(of: Track.self) ?? .production
      let platform = try body.attributes.optional("platform").map { (cursor) throws(JSONShapeFailure) in
        try Self.platform(cursor)
      }
      return (track, platform, try Self.removals(body) ?? [])
    }
    let appID = try body.related("app", type: "apps")
    try call.mustSee(app: appID, "app", appID)
    let app = try storedRelated("app") { () throws(StoreFailure) in try store.app(appID) }
    let submission = try stored(pointer: "/data/attributes") { () throws(StoreFailure) in
      try store.createReviewSubmission(
        app: app.id, track: track, platform: platform, confirmedRemovals: removals, actor: call.actor)
    }
    return single(status: 201, Self.resource(submission))
  }

  private func changeSubmission(_ call: Call) throws(APIFailure) -> Message {
    let submission = try submission(call, call.id)
    let body = try RequestDocument(
      call.request, type: "reviewSubmissions", id: call.id,
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
        try store.submitReview(submission.id, confirmedRemovals: removals, reason: reason, actor: call.actor)
      }
      serve(outcome)
    } else if let removals {
      _ = try stored(pointer: "/data/attributes/confirmedRemovals") { () throws(StoreFailure) in
        try store.updateReviewSubmission(submission.id, confirmedRemovals: removals, actor: call.actor)
      }
    } else if isCanceled {
      _ = try stored { () throws(StoreFailure) in
        try store.withdrawReview(submission.id, reason: reason, actor: call.actor)
      }
    }
    return try readSubmission(call)
  }

  /// The submission, when the token may see its app.
  func submission(_ call: Call, _ id: String) throws(APIFailure) -> ReviewSubmissionRecord {
    let submission = try stored { () throws(StoreFailure) in try store.reviewSubmission(id) }
    try call.mustSee(app: submission.appID, "review submission", id)
    return submission
  }

  /// Makes what went live by a step of a review visible to devices.
  func serve(_ outcome: ReviewOutcome) {
    guard let release = outcome.release else { return }
    surroundings.published()
    if let failure = release.publicationFailure {
      log.error("The copies of the \(release.track.rawValue) manifests were not written: \(failure.sentence)")
    }
  }

  private static func resource(_ submission: ReviewSubmissionRecord) -> Resource {
    Resource(
      type: "reviewSubmissions", id: submission.id,
      attributes: JSONObject([
        ("platform", .optional(submission.platform?.apiName)), ("track", .string(submission.track.rawValue)),
        ("state", .string(submission.state.rawValue)),
        ("submittedDate", submission.submitted.map { .time($0) } ?? .null),
        ("submittedBy", .optional(submission.submitter?.name)),
        ("confirmedRemovals", .array(submission.confirmedRemovals.map { .string($0) })),
        ("createdDate", .time(submission.created)),
      ]), relationships: [("app", "apps", submission.appID)], path: "/v1/reviewSubmissions/\(submission.id)")
  }
}

// Values of the bodies and parameters of reviews.
extension AdminResources {
  private static func platform(_ name: String, of parameter: String) throws(APIFailure) -> Platform {
    if let platform = Platform.allCases.first(where: { $0.apiName == name }) { return platform }
    throw APIFailure(
      .parameterInvalid, "\(parameter) is \(name); expected one of \(platformNames).", source: .parameter(parameter))
  }

  private static func platform(_ cursor: JSONCursor) throws(JSONShapeFailure) -> Platform {
    let name = try cursor.string(bytes: 1...20)
    if let platform = Platform.allCases.first(where: { $0.apiName == name }) { return platform }
    throw cursor.outOfRange("one of \(platformNames)")
  }

  private static var platformNames: String { Platform.allCases.map(\.apiName).joined(separator: ", ") }

  /// Several states with commas between, as in App Store Connect.
  private static func states(_ names: String) throws(APIFailure) -> Set<ReviewSubmissionState> {
    var states: Set<ReviewSubmissionState> = []
    for name in names.split(separator: ",", omittingEmptySubsequences: false) {
      guard let state = ReviewSubmissionState(rawValue: String(name)) else {
        let known = ReviewSubmissionState.allCases.map(\.rawValue).joined(separator: ", ")
        throw APIFailure(
          .parameterInvalid, "filter[state] is \(names); expected some of \(known), with commas between.",
          source: .parameter("filter[state]"))
      }
      states.insert(state)
    }
    return states
  }

  private static func removals(_ body: RequestDocument) throws(JSONShapeFailure) -> Set<String>? {
    guard let list = body.attributes.optional("confirmedRemovals") else { return nil }
    var names: Set<String> = []
    for name in try list.array(maximum: 1000) { names.insert(try name.string(bytes: 1...128)) }
    return names
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
