import AssetPacks
import HTTPCore
import Observability
import PackStore
import SystemIO
import Webhooks

/// The JSON API of the admin listener. Every handler runs on a worker, where it may block.
package final class AdminAPI: Sendable {
  /// What the API needs from the daemon around it.
  package struct Dependencies: Sendable {
    /// The longest body of a JSON request, in bytes.
    package var bodyLimit: Int
    /// Whether the daemon is ready to serve.
    package var isReady: @Sendable () -> Bool
    /// Waits until devices get what the catalog says about a version.
    package var settled: @Sendable (_ version: String) -> Void
    /// Called when a version was committed and waits for the processor.
    package var committed: @Sendable () -> Void
    /// The daemon's metrics in Prometheus's text format.
    package var metrics: @Sendable () -> [UInt8]
    /// Whether they need no token.
    package var metricsAreOpen: Bool
    /// Who may use the API.
    package var authentication = AuthenticationRules()
    /// Where webhooks may go.
    package var webhooks = WebhookRules()
    /// Called with the code of each refusal.
    package var refused: @Sendable (_ code: String) -> Void

    package init(
      bodyLimit: Int, isReady: @escaping @Sendable () -> Bool,
      settled: @escaping @Sendable (String) -> Void,
      committed: @escaping @Sendable () -> Void, metrics: @escaping @Sendable () -> [UInt8] = { [] },
      metricsAreOpen: Bool = false, refused: @escaping @Sendable (String) -> Void = { _ in }
    ) {
      self.bodyLimit = bodyLimit
      self.isReady = isReady
      self.settled = settled
      self.committed = committed
      self.metrics = metrics
      self.metricsAreOpen = metricsAreOpen
      self.refused = refused
    }
  }

  let store: PackStore
  let dependencies: Dependencies
  let log: Log
  let signer: UploadSigner
  let tokens: Authentication
  let routes: [Route]
  let running = RunningRequests()

  package init(store: PackStore, dependencies: Dependencies, log: Log, clock: WallClock = .system) throws(StoreFailure)
  {
    self.store = store
    self.dependencies = dependencies
    self.log = log
    signer = UploadSigner(key: try store.uploadSigningKey(), clock: clock)
    tokens = Authentication(store: store, rules: dependencies.authentication, clock: clock)
    let resources = AdminResources(store: store, dependencies: dependencies, log: log, signer: signer)
    routes = resources.routes
  }

  /// How often access was refused.
  package var authenticationCounts: AuthenticationCounts { tokens.counts }

  /// The answer to every request while the catalog cannot be read.
  package static func unavailable(_ reason: String) -> Message {
    APIFailure(.catalogUnavailable, "\(reason) Devices get what was published before.").message
  }

  /// Decides on the loop's thread where a request's body goes; all else happens on a worker.
  package func respond(_ view: RequestView) -> ResponsePlan {
    if view.head.method == .put, view.path.starts(with: UploadParts.pathPrefix.utf8) {
      return UploadParts(store: store, signer: signer, log: log, refused: dependencies.refused).plan(view)
    }
    return .work(bodyLimit: dependencies.bodyLimit) { request in
      do throws(APIFailure) {
        return try self.answer(request)
      } catch {
        self.dependencies.refused(error.code.rawValue)
        if error.code == .internalFailure { self.log.error("\(request.methodName) \(request.path): \(error.detail)") }
        return error.message
      }
    }
  }

  func answer(_ request: OwnedRequest) throws(APIFailure) -> Message {
    guard let path = request.decodedPathSegments else { throw Self.nothing(at: request.path) }
    var allowed: [String] = []
    for route in routes {
      guard let values = route.match(path) else { continue }
      let isMeant = route.method == request.method || route.method == .get && request.method == .head
      guard isMeant else {
        allowed.append("\(route.method.name)")
        if route.method == .get { allowed.append("HEAD") }
        continue
      }
      let identity = try route.role.map { role throws(APIFailure) in try tokens.admit(request, needed: role) }
      let context = RequestContext(request: request, values: values, identity: identity)
      switch route.method {
      case .get: return try read(route, context)
      case .post: return try create(route, context)
      default: return try change(route, context)
      }
    }
    if UploadParts.isPart(path) { allowed.append("PUT") }
    guard !allowed.isEmpty else { throw Self.nothing(at: request.path) }
    let methods = allowed.joined(separator: ", ")
    if request.method == .options {
      return Message(status: 204, contentType: nil, body: [], fields: [("Allow", methods)])
    }
    throw APIFailure(
      .methodNotAllowed, "\(request.path) does not take \(request.methodName); it takes \(methods).",
      fields: [("Allow", methods)])
  }

  private static func nothing(at path: String) -> APIFailure {
    APIFailure(.notFound, "There is nothing at \(path); the API begins at /v1.")
  }
}
