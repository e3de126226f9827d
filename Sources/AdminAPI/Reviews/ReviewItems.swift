import AssetPacks
import HTTPCore
import JSONText
import PackStore

// `reviewSubmissionItems`: the versions of a submission.
extension AdminResources {
  var reviewItemRoutes: [Route] {
    [
      Route(
        .get, "/v1/reviewSubmissions/{id}/items", .viewer, .path(.submission), listReviewItems,
        .lists(Self.reviewItemList, "The items of a submission")),
      Route(
        .post, "/v1/reviewSubmissionItems", .publisher,
        .body("reviewSubmission", .submission, "backgroundAssetVersion", .version),
        BodyShape("reviewSubmissionItems"), createReviewItem,
        .creates(Self.reviewItemShape, "A version in a submission")),
      Route(
        .get, "/v1/reviewSubmissionItems/{id}", .viewer, .path(.reviewItem), readReviewItem,
        .reads(Self.oneReviewItem, "One item of a submission")),
      Route(
        .patch, "/v1/reviewSubmissionItems/{id}", .publisher, .path(.reviewItem), Self.reviewItemChange,
        changeReviewItem, .updates(Self.reviewItemShape, "Resolves a rejection, or removes the item")),
      Route(
        .delete, "/v1/reviewSubmissionItems/{id}", .publisher, .path(.reviewItem), deleteReviewItem,
        .deletes("Deletes an item from a draft")),
    ]
  }

  /// Whether the item is removed rather than resolved, and why.
  private static let reviewItemChange = BodyShape(
    "reviewSubmissionItems", Field("resolved", .on, or: false), Field("removed", .on, or: false), .reviewReason
  ).then { (body, attributes) throws(JSONShapeFailure) in
    let (isResolved, isRemoved, reason) = body
    if isResolved == isRemoved {
      throw try attributes.required("resolved", expected: "resolved or removed, one of them true").outOfRange(
        "resolved or removed, not both")
    }
    return (isRemoved, reason)
  }

  static let reviewItemShape = ResourceShape(
    type: "reviewSubmissionItems",
    attributes: [
      ("state", Schema.choice(of: ReviewItemState.self)), ("assetPackIdentifier", Schema.text),
      ("version", Schema.version), ("releaseState", Schema.text), ("reason", Schema.optional(Schema.text)),
      ("createdDate", Schema.date),
    ],
    relationships: [
      ResourceShape.Relationship(name: "reviewSubmission", type: "reviewSubmissions"),
      ResourceShape.Relationship(name: "backgroundAssetVersion", type: "backgroundAssetVersions"),
    ])

  private static let reviewItemIncludes = [
    QueryShape.Include(name: "backgroundAssetVersion", resource: versionShape)
  ]
  private static let reviewItemList = QueryShape(
    resource: reviewItemShape, isPlainList: true, includes: reviewItemIncludes)
  private static let oneReviewItem = QueryShape(resource: reviewItemShape, includes: reviewItemIncludes)

  private func listReviewItems(
    _ context: RequestContext, _ submission: ReviewSubmissionRecord, _ query: Query
  ) throws(APIFailure) -> Message {
    let page = try stored { () throws(StoreFailure) in
      try store.reviewItems(submission: submission.id, page: query.page)
    }
    return list(page, query, included: try versions(of: page.items, query), Self.resource)
  }

  private func readReviewItem(
    _ context: RequestContext, _ item: ReviewItemRecord, _ query: Query
  ) throws(APIFailure) -> Message {
    single(Self.resource(item), query, included: try versions(of: [item], query))
  }

  private func versions(of items: [ReviewItemRecord], _ query: Query) throws(APIFailure) -> [ResourceObject] {
    guard query.include.contains("backgroundAssetVersion") else { return [] }
    return try stored { () throws(StoreFailure) in try store.versions(ids: items.map(\.versionID)) }
      .map { resource($0) }
  }

  private func createReviewItem(
    _ context: RequestContext, _ subject: (ReviewSubmissionRecord, VersionRecord), _: Void
  ) throws(APIFailure) -> Message {
    let (submission, version) = subject
    let pointer = RequestDocument.pointer(to: "backgroundAssetVersion")
    guard version.appID == submission.appID else {
      let failure = StoreFailure.notFound(kind: .version, name: version.id)
      throw APIFailure(.relationshipInvalid, failure.sentence, source: .pointer(pointer))
    }
    let item = try stored(pointer: pointer) { () throws(StoreFailure) in
      try store.addReviewItem(submission: submission.id, version: version.id, actor: context.actor)
    }
    return single(status: 201, Self.resource(item))
  }

  private func changeReviewItem(
    _ context: RequestContext, _ item: ReviewItemRecord, _ body: (Bool, String?)
  ) throws(APIFailure) -> Message {
    let (isRemoved, reason) = body
    let changed = try stored { () throws(StoreFailure) in
      isRemoved
        ? try store.removeReviewItem(item.id, reason: reason, actor: context.actor)
        : try store.resolveReviewItem(item.id, reason: reason, actor: context.actor)
    }
    return single(Self.resource(changed))
  }

  private func deleteReviewItem(_ context: RequestContext, _ item: ReviewItemRecord) throws(APIFailure) -> Message {
    try stored { () throws(StoreFailure) in try store.deleteReviewItem(item.id, actor: context.actor) }
    return .nothing
  }

  static func resource(_ item: ReviewItemRecord) -> ResourceObject {
    ResourceObject(
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
}

extension Owned<ReviewItemRecord> {
  static var reviewItem: Owned {
    Owned(
      kind: .reviewItem, type: "reviewSubmissionItems",
      find: { (store, id) throws(StoreFailure) in try store.reviewItem(id) },
      app: { $0.appID })
  }
}
