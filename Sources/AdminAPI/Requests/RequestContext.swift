import AssetPacks
import HTTPCore
import PackStore

/// A request that was let in, with all that its handler needs.
struct RequestContext: Sendable {
  let request: OwnedRequest
  /// The values in the path, in order.
  let values: [String]
  /// Nil on routes that are open to everybody.
  let identity: TokenIdentity?
  /// What the request attaches to its change: the condition of an `If-Match`, an `Idempotency-Key`.
  var terms: ChangeTerms?
  /// Whether the API only looks at the resource for itself, inside a change. Nothing may then wait for anything.
  var isLook = false

  /// Who does it, for the audit log. Every change of the catalog must be made with it: it carries the terms.
  var actor: Actor {
    Actor(
      name: identity?.name ?? "anonymous", tokenID: identity?.id,
      address: request.remoteAddress.isEmpty ? nil : request.remoteAddress, userAgent: request.field("User-Agent"),
      terms: terms)
  }

  /// The path's first value.
  var id: String { values.first ?? "" }

  /// Hides other apps from a token that is for one app only: they are not found.
  func mustSee(app id: String, _ kind: String, _ name: String) throws(APIFailure) {
    guard let only = identity?.appID, only != id else { return }
    throw APIFailure(.notFound, "There is no \(kind) \(name).")
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
