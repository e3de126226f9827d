import AssetPacks
import HTTPCore
import JSONText
import Observability
import PackStore
import SystemIO
import Values

/// What the resources share, and the table of all routes. Each resource's handlers are in a file of their own.
struct AdminResources: Sendable {
  let store: PackStore
  let dependencies: AdminAPI.Dependencies
  let log: Log
  let signer: UploadSigner
  private let description = KeptMessage()

  /// Every route of the API.
  var routes: [Route] {
    [
      serviceRoutes,
      appRoutes,
      packRoutes,
      versionRoutes,
      uploadRoutes,
      releaseRoutes,
      quotaRoutes,
      collectionRoutes,
      previewRoutes,
      rollbackRoutes,
      rolloutRoutes,
      laneRoutes,
      explainRoutes,
      tokenRoutes,
      apiKeyRoutes,
      auditRoutes,
      webhookRoutes,
      versionReleaseRoutes,
      reviewRoutes,
    ].flatMap { $0 }
  }

  private var serviceRoutes: [Route] {
    [
      Route(.get, "/healthz", nil, .open, health, .text("Whether the process answers")),
      Route(.get, "/readyz", nil, .open, readiness, .text("Whether the daemon is ready")),
      Route(
        .get, "/metrics", dependencies.metricsAreOpen ? nil : .viewer,
        // They name every app.
        .server("The token is for one app only; metrics cover all apps and need a token for all."), metrics,
        .text("What the daemon has counted, for Prometheus")),
      Route(.get, "/openapi.json", nil, .open, openAPI, .document("This description")),
    ]
  }

  private func openAPI(_ context: RequestContext, _: Void) throws(APIFailure) -> Message {
    description.message { .json(200, OpenAPIDocument(routes).json) }
  }

  private func health(_ context: RequestContext, _: Void) throws(APIFailure) -> Message { Self.text(200, "ok\n") }

  private func readiness(_ context: RequestContext, _: Void) throws(APIFailure) -> Message {
    dependencies.isReady() ? Self.text(200, "ready\n") : Self.text(503, "not ready\n", fields: [("Retry-After", "1")])
  }

  private func metrics(_ context: RequestContext, _: Void) throws(APIFailure) -> Message {
    Message(
      status: 200, contentType: MetricsText.contentType, body: dependencies.metrics(),
      fields: [("Cache-Control", "no-store")])
  }

  private static func text(_ status: UInt16, _ text: String, fields: [(String, String)] = []) -> Message {
    Message(
      status: status, contentType: "text/plain; charset=utf-8", body: Array(text.utf8),
      fields: [("Cache-Control", "no-store")] + fields)
  }

  /// Runs an operation of the store; its refusal becomes an answer. `pointer` is the field of the request
  /// that a refusal would be about.
  func stored<Value>(
    pointer: String? = nil, _ body: () throws(StoreFailure) -> Value
  ) throws(APIFailure) -> Value {
    do throws(StoreFailure) {
      return try body()
    } catch {
      throw APIFailure(error, pointer: pointer)
    }
  }

  /// An answer with one resource. `included` are the resources that the query asked for.
  func single(
    status: UInt16 = 200, _ resource: ResourceObject, _ query: Query? = nil, included: [ResourceObject] = []
  ) -> Message {
    var fields = status == 201 ? [("Location", resource.path)] : []
    guard let query, !query.include.isEmpty || !query.fields.isEmpty else {
      fields.append(("ETag", resource.entityTag))
      return .json(status, resource.document, fields: fields)
    }
    var document = JSONObject([("data", resource.json(only: query.fields[resource.type]))])
    if query.include.isEmpty {
      fields.append(("ETag", resource.entityTag))
    } else {
      // What is included changes without the resource: the tag would not cover them.
      document.set("included", included.compound(query.fields))
    }
    document.set("links", ["self": .string(query.target)])
    return .json(status, .object(document), fields: fields)
  }

  /// An answer with one page of a list. `included` are the resources that the query asked for.
  func list<Item>(
    _ page: Page<Item>, _ query: Query, included: [ResourceObject] = [], _ resource: (Item) -> ResourceObject
  ) -> Message {
    .json(
      200,
      ResourceList(
        resources: page.items.map(resource), total: page.total, limit: query.page.limit, nextCursor: page.cursor,
        target: query.target, targetWithoutCursor: query.targetWithoutCursor,
        included: query.include.isEmpty ? nil : included, fields: query.fields
      ).document)
  }
}

extension JSONValue {
  /// A time as ISO 8601 text.
  static func time(_ unixSeconds: Int64) -> JSONValue { .string(ISO8601.text(unixSeconds: unixSeconds)) }

  static func optionalInteger(_ value: Int64?) -> JSONValue { value.map { .integer($0) } ?? .null }
}
