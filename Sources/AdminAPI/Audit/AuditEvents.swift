import HTTPCore
import JSONText
import PackStore
import Values

// `auditEvents`: who did what, when and from where. Nothing here can be changed or removed.
extension AdminResources {
  var auditRoutes: [Route] {
    [
      Route(
        .get, "/v1/auditEvents", .admin, .filteredList, listAuditEvents,
        .lists(Self.auditList, "Who did what, newest first")),
      Route(
        .get, "/v1/auditEvents/{id}", .admin, .path(.auditEvent), readAuditEvent,
        .reads(Self.oneAuditEvent, "One line of the audit log")),
    ]
  }

  private static let auditShape = ResourceShape(
    type: "auditEvents",
    attributes: [
      ("date", Schema.date), ("actor", Schema.text), ("tokenId", Schema.optional(Schema.text)),
      ("action", Schema.text), ("subject", Schema.text), ("before", Schema.optional(Schema.text)),
      ("after", Schema.optional(Schema.text)), ("reason", Schema.optional(Schema.text)),
      ("address", Schema.optional(Schema.text)), ("userAgent", Schema.optional(Schema.text)),
      ("track", Schema.optional(Schema.text)), ("version", Schema.optional(Schema.text)),
    ],
    relationships: [
      ResourceShape.Relationship(name: "app", type: "apps"),
      ResourceShape.Relationship(name: "backgroundAsset", type: "backgroundAssets"),
      ResourceShape.Relationship(name: "reviewSubmission", type: "reviewSubmissions"),
    ])

  private static let auditList = QueryShape(
    resource: auditShape, isPlainList: true,
    more: [
      ("filter[app]", Schema.text), ("filter[actor]", Schema.text), ("filter[action]", Schema.text),
      ("filter[from]", Schema.date), ("filter[to]", Schema.date),
    ])
  private static let oneAuditEvent = QueryShape(resource: auditShape)

  private func listAuditEvents(
    _ context: RequestContext, _ scope: AppScope, _ query: Query
  ) throws(APIFailure) -> Message {
    let filter = AuditFilter(
      app: scope.id, actor: query["filter[actor]"], action: query["filter[action]"],
      from: try query.time("filter[from]"), to: try query.time("filter[to]"))
    let page = try stored { () throws(StoreFailure) in try store.auditLog(filter, page: query.page) }
    return list(page, query, resource)
  }

  private func readAuditEvent(
    _ context: RequestContext, _ record: AuditRecord, _ query: Query
  ) throws(APIFailure) -> Message {
    single(resource(record), query)
  }

  private func resource(_ record: AuditRecord) -> ResourceObject {
    let related = [
      ("app", "apps", record.appID), ("backgroundAsset", "backgroundAssets", record.packID),
      ("reviewSubmission", "reviewSubmissions", record.submissionID),
    ]
    return ResourceObject(
      type: "auditEvents", id: String(record.number),
      attributes: JSONObject([
        ("date", .time(record.at)), ("actor", .string(record.actor.name)),
        ("tokenId", .optional(record.actor.tokenID)), ("action", .string(record.action)),
        ("subject", .string(record.subject)), ("before", .optional(record.before)), ("after", .optional(record.after)),
        ("reason", .optional(record.reason)), ("address", .optional(record.actor.address)),
        ("userAgent", .optional(record.actor.userAgent)),
        ("track", .optional(record.track)), ("version", .optional(record.versionNumber.map { String($0) })),
      ]), relationships: related.compactMap { (name, type, id) in id.map { (name, type, $0) } },
      path: "/v1/auditEvents/\(record.number)")
  }
}

extension Query {
  /// A time in ISO 8601, in seconds since 1970.
  func time(_ name: String) throws(APIFailure) -> Int64? {
    guard let text = self[name] else { return nil }
    if let time = ISO8601.parse(text) { return time }
    throw APIFailure(
      .parameterInvalid, "\(name) is \(text); expected a time such as 2030-01-31T00:00:00Z.", source: .parameter(name))
  }
}

extension Owned<AuditRecord> {
  static var auditEvent: Owned {
    Owned(
      kind: .auditEvent, type: "auditEvents",
      find: { (store, id) throws(StoreFailure) in
        guard let number = Int64(id) else { throw .notFound(kind: .auditEvent, name: id) }
        return try store.auditRecord(number)
      }, app: { $0.appID })
  }
}
