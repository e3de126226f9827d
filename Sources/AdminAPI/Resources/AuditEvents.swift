import HTTPCore
import JSONText
import PackStore

// `auditEvents`: who did what, when and from where. Nothing here can be changed or taken away.
extension AdminResources {
  var auditRoutes: [Route] {
    [
      Route(.get, "/v1/auditEvents", .admin, listAuditEvents),
      Route(.get, "/v1/auditEvents/{id}", .admin, readAuditEvent),
    ]
  }

  private func listAuditEvents(_ call: Call) throws(APIFailure) -> Message {
    let query = try Query(
      call.request, allowing: ["filter[app]", "filter[actor]", "filter[action]", "filter[from]", "filter[to]"])
    let filter = AuditFilter(
      app: try call.wantedApp(query), actor: query["filter[actor]"], action: query["filter[action]"],
      from: try query.time("filter[from]"), to: try query.time("filter[to]"))
    let page = try stored { () throws(StoreFailure) in try store.auditLog(filter, page: query.page) }
    return list(page, query, resource)
  }

  private func readAuditEvent(_ call: Call) throws(APIFailure) -> Message {
    guard let number = Int64(call.id) else { throw APIFailure(.notFound, "There is no audit event \(call.id).") }
    let record = try stored { () throws(StoreFailure) in try store.auditRecord(number) }
    try call.mustOwn(app: record.appID, "audit event", call.id)
    return single(resource(record))
  }

  private func resource(_ record: AuditRecord) -> Resource {
    Resource(
      type: "auditEvents", id: String(record.number),
      attributes: JSONObject([
        ("date", .time(record.at)), ("actor", .string(record.actor.name)),
        ("tokenId", .optional(record.actor.tokenID)), ("action", .string(record.action)),
        ("subject", .string(record.subject)), ("before", .optional(record.before)), ("after", .optional(record.after)),
        ("reason", .optional(record.reason)), ("address", .optional(record.actor.address)),
        ("userAgent", .optional(record.actor.userAgent)),
      ]), relationships: record.appID.map { [("app", "apps", $0)] } ?? [], path: "/v1/auditEvents/\(record.number)")
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
