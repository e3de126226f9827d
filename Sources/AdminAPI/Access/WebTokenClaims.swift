import JSONText

/// The claims of a token with a valid signature (RFC 7519 section 4.1), and the rules for them.
struct WebTokenClaims: Sendable, Equatable {
  /// Seconds from `iat` to `exp` at most, as App Store Connect has it.
  static let lifetime: Int64 = 20 * 60
  /// Seconds that a client's clock may be ahead.
  static let skew: Int64 = 60

  // Seconds since 1970; fractions are dropped.
  let issuedAt: Int64
  let expires: Int64
  let notBefore: Int64?
  let audience: [String]
  let issuer: String?
  /// The only requests that the token is for: method, space, path and perhaps a query; nil for all.
  let scope: [String]?

  init(_ object: JSONObject) throws(WebTokenFault) {
    guard let issuedAt = Self.time(object["iat"]) else { throw .field("iat") }
    guard let expires = Self.time(object["exp"]) else { throw .field("exp") }
    self.issuedAt = issuedAt
    self.expires = expires
    notBefore = try object["nbf"].map { (value) throws(WebTokenFault) in
      guard let time = Self.time(value) else { throw .field("nbf") }
      return time
    }
    if let single = object["aud"]?.string {
      audience = [single]
    } else {
      audience = try Self.texts(object["aud"], "aud")
    }
    issuer = try object["iss"].map { (value) throws(WebTokenFault) in
      guard let text = value.string else { throw .field("iss") }
      return text
    }
    scope = try object["scope"].map { (value) throws(WebTokenFault) in try Self.texts(value, "scope") }
  }

  /// Refuses tokens that are expired, valid for too long, from the future, or for somebody else.
  ///
  /// - Parameters:
  ///   - now: seconds since 1970.
  ///   - issuer: what the key was registered with; nil takes any.
  func check(now: Int64, audience: String, issuer: String?) throws(WebTokenFault) {
    guard issuedAt <= now + Self.skew else { throw .fromTheFuture }
    if let notBefore, notBefore > now + Self.skew { throw .fromTheFuture }
    guard expires > issuedAt, expires - issuedAt <= Self.lifetime else { throw .lifetime }
    guard expires > now else { throw .expired }
    guard self.audience.contains(audience) else { throw .audience(audience) }
    if let issuer, self.issuer != issuer { throw .issuer }
  }

  /// Whether the scope covers the request. An entry's query narrows it: all of its parameters must be there.
  func covers(method: String, path: String, query: [(String, String)], parse: (String) -> [(String, String)]) -> Bool {
    guard let scope else { return true }
    return scope.contains { entry in
      let words = entry.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      guard words.count == 2, words[0] == method else { return false }
      let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      guard let wanted = target.first, wanted == path else { return false }
      let narrowed = target.count > 1 ? parse(String(target[1])) : []
      return narrowed.allSatisfy { pair in query.contains { $0 == pair } }
    }
  }

  /// A number of seconds until the year 9999.
  private static func time(_ value: JSONValue?) -> Int64? {
    guard case .number(let number) = value, let seconds = number.double, (0...253_402_300_799).contains(seconds) else {
      return nil
    }
    return Int64(seconds.rounded(.down))
  }

  private static func texts(_ value: JSONValue?, _ name: String) throws(WebTokenFault) -> [String] {
    guard let elements = value?.array, !elements.isEmpty else { throw .field(name) }
    let texts = elements.compactMap(\.string)
    guard texts.count == elements.count else { throw .field(name) }
    return texts
  }
}
