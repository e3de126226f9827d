import AssetPacks
import HTTPCore
import JSONText
import PackStore

// `reviewSubmissionItems`: the versions of a submission.
extension AdminResources {
  var reviewItemRoutes: [Route] {
    [
      Route(
        .get, "/v1/reviewSubmissions/{id}/items", .viewer, listReviewItems,
        .lists(Self.reviewItemList, "The items of a submission")),
      Route(
        .post, "/v1/reviewSubmissionItems", .publisher, createReviewItem,
        .creates(
          Self.reviewItemShape, "A version in a submission",
          relationships: [
            ("reviewSubmission", "reviewSubmissions"), ("backgroundAssetVersion", "backgroundAssetVersions"),
          ])),
      Route(
        .get, "/v1/reviewSubmissionItems/{id}", .viewer, readReviewItem,
        .reads(Self.oneReviewItem, "One item of a submission")),
      Route(
        .patch, "/v1/reviewSubmissionItems/{id}", .publisher, changeReviewItem,
        .updates(
          Self.reviewItemShape, "Answers a rejection, or takes the item out",
          attributes: [
            ("resolved", Schema.optional(Schema.on)), ("removed", Schema.optional(Schema.on)),
            ("reason", Schema.optional(Schema.text(1...4000))),
          ])),
      Route(
        .delete, "/v1/reviewSubmissionItems/{id}", .publisher, deleteReviewItem,
        .deletes("Takes an item out of a draft")),
    ]
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

  private func listReviewItems(_ context: RequestContext) throws(APIFailure) -> Message {
    let query = try Query(context.request, Self.reviewItemList)
    let submission = try submission(context, context.id)
    let page = try stored { () throws(StoreFailure) in
      try store.reviewItems(submission: submission.id, page: query.page)
    }
    return list(page, query, included: try versions(of: page.items, query), Self.resource)
  }

  private func readReviewItem(_ context: RequestContext) throws(APIFailure) -> Message {
    let query = try Query(context.request, Self.oneReviewItem)
    let item = try reviewItem(context)
    return single(Self.resource(item), query, included: try versions(of: [item], query))
  }

  private func versions(of items: [ReviewItemRecord], _ query: Query) throws(APIFailure) -> [ResourceObject] {
    guard query.include.contains("backgroundAssetVersion") else { return [] }
    return try stored { () throws(StoreFailure) in try store.versions(ids: items.map(\.versionID)) }
      .map { resource($0) }
  }

  private func createReviewItem(_ context: RequestContext) throws(APIFailure) -> Message {
    let body = try RequestDocument(
      context.request, type: "reviewSubmissionItems", relationships: ["reviewSubmission", "backgroundAssetVersion"])
    let submissionID = try body.related("reviewSubmission", type: "reviewSubmissions")
    let versionID = try body.related("backgroundAssetVersion", type: "backgroundAssetVersions")
    let submission = try storedRelated("reviewSubmission") { () throws(StoreFailure) in
      try store.reviewSubmission(submissionID)
    }
    try context.mustSee(app: submission.appID, "review submission", submissionID)
    let item = try storedRelated("backgroundAssetVersion") { () throws(StoreFailure) in
      try store.addReviewItem(submission: submission.id, version: versionID, actor: context.actor)
    }
    return single(status: 201, Self.resource(item))
  }

  private func changeReviewItem(_ context: RequestContext) throws(APIFailure) -> Message {
    let item = try reviewItem(context)
    let body = try RequestDocument(
      context.request, type: "reviewSubmissionItems", id: context.id, attributes: ["resolved", "removed", "reason"])
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
        ? try store.removeReviewItem(item.id, reason: reason, actor: context.actor)
        : try store.resolveReviewItem(item.id, reason: reason, actor: context.actor)
    }
    return single(Self.resource(changed))
  }

  private func deleteReviewItem(_ context: RequestContext) throws(APIFailure) -> Message {
    let item = try reviewItem(context)
    try stored { () throws(StoreFailure) in try store.deleteReviewItem(item.id, actor: context.actor) }
    return Message(status: 204, contentType: nil, body: [], fields: [("Cache-Control", "no-store")])
  }

  private func reviewItem(_ context: RequestContext) throws(APIFailure) -> ReviewItemRecord {
    let item = try stored { () throws(StoreFailure) in try store.reviewItem(context.id) }
    try context.mustSee(app: item.appID, "review item", context.id)
    return item
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
