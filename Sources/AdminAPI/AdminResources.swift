import AssetPacks
import HTTPCore
import JSONText
import Observability
import PackStore
import SystemIO

/// What the resources share, and the table of all routes. Each resource's handlers stand in a file of
/// its own.
struct AdminResources: Sendable {
  let store: PackStore
  let surroundings: AdminAPI.Surroundings
  let log: Log
  let signer: UploadSigner

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
      archiveRoutes,
      collectionRoutes,
      previewRoutes,
    ].flatMap { $0 }
  }

  private var serviceRoutes: [Route] {
    [
      Route(.get, "/healthz", nil, health),
      Route(.get, "/readyz", nil, readiness),
      Route(.get, "/metrics", surroundings.metricsAreOpen ? nil : .viewer, metrics),
    ]
  }

  private func health(_ call: Call) throws(APIFailure) -> Message { Self.text(200, "ok\n") }

  private func readiness(_ call: Call) throws(APIFailure) -> Message {
    surroundings.isReady() ? Self.text(200, "ready\n") : Self.text(503, "not ready\n", fields: [("Retry-After", "1")])
  }

  private func metrics(_ call: Call) throws(APIFailure) -> Message {
    // They name every app.
    guard call.identity?.appID == nil else {
      throw APIFailure(.forbidden, "The token is for one app only; metrics tell of all apps and need one for all.")
    }
    return Message(
      status: 200, contentType: MetricsText.contentType, body: surroundings.metrics(),
      fields: [("Cache-Control", "no-store")])
  }

  private static func text(_ status: UInt16, _ text: String, fields: [(String, String)] = []) -> Message {
    Message(
      status: status, contentType: "text/plain; charset=utf-8", body: Array(text.utf8),
      fields: [("Cache-Control", "no-store")] + fields)
  }

  /// Runs something of the store; what it refuses becomes an answer. `pointer` is the field of the request
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

  /// Runs something that is about the target of a relationship: that it is missing is a fault of the body
  /// and not of the path.
  func storedRelated<Value>(
    _ relationship: String, _ body: () throws(StoreFailure) -> Value
  ) throws(APIFailure) -> Value {
    let pointer = RequestDocument.pointer(to: relationship)
    do throws(StoreFailure) {
      return try body()
    } catch {
      if case .notFound = error {
        throw APIFailure(.relationshipInvalid, error.sentence, source: .pointer(pointer))
      }
      throw APIFailure(error, pointer: pointer)
    }
  }

  func single(status: UInt16 = 200, _ resource: Resource) -> Message {
    .json(status, resource.document, fields: status == 201 ? [("Location", resource.path)] : [])
  }

  func list<Item>(_ page: Page<Item>, _ query: Query, _ resource: (Item) -> Resource) -> Message {
    .json(
      200,
      ResourceList(
        resources: page.items.map(resource), total: page.total, limit: query.page.limit, nextCursor: page.next,
        target: query.target, targetWithoutCursor: query.targetWithoutCursor
      ).document)
  }
}

extension JSONValue {
  /// A time as ISO 8601 text.
  static func time(_ unixSeconds: Int64) -> JSONValue { .string(ISO8601.text(unixSeconds: unixSeconds)) }

  static func optionalInteger(_ value: Int64?) -> JSONValue { value.map { .integer($0) } ?? .null }
}
