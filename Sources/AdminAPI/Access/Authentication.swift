import AssetPacks
import Digests
import EventLoop
import HTTPCore
import PackStore
import Signatures
import Synchronization
import SystemIO

/// Bearer tokens (RFC 6750), the server's own and those that API keys sign: who sends the request, and are they allowed
/// to?
struct Authentication: Sendable {
  private let store: PackStore
  private let rules: AuthenticationRules
  private let clock: WallClock
  private let throttle: FailureThrottle
  private let accepted = AcceptedCredentials()
  let counts = AuthenticationCounts()

  init(
    store: PackStore, rules: AuthenticationRules = AuthenticationRules(), clock: WallClock = .system,
    monotonic: MonotonicClock = .system
  ) {
    self.store = store
    self.rules = rules
    self.clock = clock
    throttle = FailureThrottle(failures: rules.failures, pause: rules.failurePause, clock: monotonic)
  }

  /// The identity behind the request's token, whose role must include `needed`.
  ///
  /// An address with too many failed attempts gets 429 at once, so that nobody waits for a worker. A credential that
  /// was accepted before is still accepted.
  func admit(_ request: OwnedRequest, needed: Role) throws(APIFailure) -> TokenIdentity {
    guard let field = request.field("Authorization") else {
      counts.add(.missing)
      throw Self.refused(
        "No token was sent; send Authorization: Bearer TOKEN.", challenge: "Bearer realm=\"packhouse\"")
    }
    let address = IPAddress(request.remoteAddress)
    let hash = Digest.sha256(Array(field.utf8))
    if let address, !accepted.contains(hash) { try mustNotWait(address) }
    let identity: TokenIdentity
    do throws(Refusal) {
      identity = try identify(field, request)
    } catch {
      if case .store(let failure) = error { throw APIFailure(failure) }
      if case .outOfScope(let failure) = error { throw failure }
      accepted.remove(hash)
      if let address { throttle.fail(address) }
      throw refused(error)
    }
    accepted.add(hash)
    guard identity.role.includes(needed) else {
      throw APIFailure(
        .forbidden, "The token \(identity.name) has the role \(identity.role.rawValue); this needs \(needed.rawValue).")
    }
    return identity
  }

  /// Why a credential was not accepted.
  private enum Refusal: Error {
    case malformed
    case token
    case signedToken(WebTokenFault)
    case outOfScope(APIFailure)
    case store(StoreFailure)
  }

  private func identify(_ field: String, _ request: OwnedRequest) throws(Refusal) -> TokenIdentity {
    let words = field.split(separator: " ", omittingEmptySubsequences: true)
    guard words.count == 2, words[0].lowercased() == "bearer" else { throw .malformed }
    // The server's own tokens have no dots.
    if words[1].contains(".") { return try identify(signedToken: String(words[1]), request) }
    let identity: TokenIdentity?
    do throws(StoreFailure) { identity = try store.verifyToken(String(words[1])) } catch { throw .store(error) }
    guard let identity else { throw .token }
    return identity
  }

  private func identify(signedToken text: String, _ request: OwnedRequest) throws(Refusal) -> TokenIdentity {
    let token = try Self.read { () throws(WebTokenFault) in try WebToken(text) }
    let found: APIKeyRecord?
    do throws(StoreFailure) { found = try store.goodAPIKey(token.keyID) } catch { throw .store(error) }
    guard let key = found else { throw .signedToken(.unknownKey(token.keyID)) }
    // Keys in the catalog were checked when they were registered.
    guard let publicKey = try? PublicKey(pem: key.publicKey) else { throw .signedToken(.unknownKey(token.keyID)) }
    let claims = try Self.read { () throws(WebTokenFault) in
      let claims = try token.claims(signedBy: publicKey)
      try claims.check(now: clock.now(), audience: rules.audience, issuer: key.issuer)
      return claims
    }
    let isCovered = claims.covers(method: request.methodName, path: request.path, query: request.queryItems) { query in
      OwnedRequest(method: .get, path: "", query: query).queryItems
    }
    guard isCovered else {
      throw .outOfScope(
        APIFailure(.forbidden, "The scope of the signed token has no \(request.methodName) \(request.path)."))
    }
    store.noteUse(of: key)
    return TokenIdentity(id: key.id, name: key.name, role: key.role, appID: key.appID)
  }

  private static func read<Value>(_ body: () throws(WebTokenFault) -> Value) throws(Refusal) -> Value {
    do throws(WebTokenFault) { return try body() } catch { throw .signedToken(error) }
  }

  private func mustNotWait(_ address: IPAddress) throws(APIFailure) {
    let seconds = throttle.wait(address)
    guard seconds > 0 else { return }
    counts.add(.slowed)
    throw APIFailure(
      .tooManyFailures,
      "Too many attempts from \(address.network.text) have failed; this one was not checked. "
        + "Wait \(seconds) seconds.",
      fields: [("Retry-After", String(seconds))])
  }

  private func refused(_ refusal: Refusal) -> APIFailure {
    switch refusal {
    case .malformed:
      counts.add(.malformed)
      return Self.refused(
        "The Authorization field is not of the form Bearer TOKEN.",
        challenge: "Bearer realm=\"packhouse\", error=\"invalid_request\"")
    case .signedToken(let fault):
      counts.add(.signedToken)
      return Self.refused(fault.sentence, challenge: Self.invalidToken)
    case .token, .outOfScope, .store:
      counts.add(.token)
      return Self.refused(
        "The token is unknown, has expired or was revoked; create a new one with packhouse token create.",
        challenge: Self.invalidToken)
    }
  }

  private static let invalidToken = "Bearer realm=\"packhouse\", error=\"invalid_token\""

  private static func refused(_ detail: String, challenge: String) -> APIFailure {
    APIFailure(.unauthenticated, detail, fields: [("WWW-Authenticate", challenge)])
  }
}

/// What the configuration says about access.
package struct AuthenticationRules: Sendable, Equatable {
  /// What `aud` of a signed token must be.
  package var audience = "appstoreconnect-v1"
  /// How long the former secret of a token stays valid when a rotation sets no time, in seconds.
  package var rotationOverlap: Int64 = 86_400
  /// How many attempts of one address in a row may fail before it is slowed down.
  package var failures = 20
  /// Seconds after which it may make one more attempt.
  package var failurePause: Int64 = 5

  package init() {}
}

/// How often access was refused, by reason; for metrics.
package final class AuthenticationCounts: Sendable {
  private let missing = Atomic<Int>(0)
  private let malformed = Atomic<Int>(0)
  private let token = Atomic<Int>(0)
  private let signedToken = Atomic<Int>(0)
  private let slowed = Atomic<Int>(0)

  package init() {}

  /// Why.
  enum Reason { case missing, malformed, token, signedToken, slowed }

  func add(_ reason: Reason) {
    switch reason {
    case .missing: missing.wrappingAdd(1, ordering: .relaxed)
    case .malformed: malformed.wrappingAdd(1, ordering: .relaxed)
    case .token: token.wrappingAdd(1, ordering: .relaxed)
    case .signedToken: signedToken.wrappingAdd(1, ordering: .relaxed)
    case .slowed: slowed.wrappingAdd(1, ordering: .relaxed)
    }
  }

  /// Each reason's name, as the metric has it, and its count.
  package var present: [(reason: String, count: Int)] {
    [
      ("missing", missing.load(ordering: .relaxed)), ("malformed", malformed.load(ordering: .relaxed)),
      ("token", token.load(ordering: .relaxed)), ("signed_token", signedToken.load(ordering: .relaxed)),
      ("slowed", slowed.load(ordering: .relaxed)),
    ]
  }
}
