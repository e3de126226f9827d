import AssetPacks
import HTTPCore
import PackStore

/// An authorized request, with what its handler needs besides the records that it is about.
struct RequestContext: Sendable {
  let request: OwnedRequest
  /// The values in the path, in order. Handlers get what they lead to, from the route's ``Scope``.
  private let values: [String]
  /// Nil on routes that are open to everybody.
  let identity: TokenIdentity?
  /// What the request attaches to its change: the condition of an `If-Match`, an `Idempotency-Key`.
  var conditions: RequestConditions?
  /// Whether the API itself reads the resource, inside a change. The handler must not wait for anything then.
  private(set) var isLook = false

  init(request: OwnedRequest, values: [String], identity: TokenIdentity?) {
    self.request = request
    self.values = values
    self.identity = identity
  }

  /// A read by the same client of what a change is about.
  var look: RequestContext {
    var look = RequestContext(
      request: OwnedRequest(method: .get, path: request.path, authority: request.authority), values: values,
      identity: identity)
    look.isLook = true
    return look
  }

  /// A read by the same client of what it has created.
  func reading(_ path: String, id: String) -> RequestContext {
    RequestContext(
      request: OwnedRequest(method: .get, path: path, authority: request.authority), values: [id], identity: identity)
  }

  /// What the route's scope is found in.
  func scoped(in store: PackStore, _ document: RequestDocument? = nil) -> ScopedRequest {
    ScopedRequest(context: self, store: store, id: values.first, document: document)
  }

  /// Who makes the request, for the audit log. Every change of the catalog must be made with it: it carries the
  /// conditions.
  var actor: Actor {
    Actor(
      name: identity?.name ?? "anonymous", tokenID: identity?.id,
      address: request.remoteAddress.isEmpty ? nil : request.remoteAddress, userAgent: request.field("User-Agent"),
      conditions: conditions)
  }
}

extension Role {
  /// Whether a token of this role may use what is open to `needed`.
  func includes(_ needed: Role) -> Bool {
    switch self {
    case .admin: true
    case .publisher: needed == .publisher || needed == .viewer
    case .reviewer: needed == .reviewer || needed == .viewer
    case .viewer: needed == .viewer
    }
  }
}
