/// Who did something, for the audit log.
package struct Actor: Sendable, Equatable {
  /// The most bytes of `userAgent` that are kept.
  package static let userAgentLimit = 256

  /// A person's or a token's name.
  package let name: String
  /// The token or API key that was presented.
  package let tokenID: String?
  /// The address that the request came from; nil for the daemon itself and for verbs on the server.
  package let address: String?
  /// What the client calls itself (`User-Agent`), cut to ``userAgentLimit`` bytes.
  package let userAgent: String?
  /// What the request attaches to its change; nil when it attaches nothing.
  package let conditions: RequestConditions?

  package init(
    name: String, tokenID: String? = nil, address: String? = nil, userAgent: String? = nil,
    conditions: RequestConditions? = nil
  ) {
    self.name = name
    self.tokenID = tokenID
    self.address = address
    self.userAgent = userAgent.map { String(decoding: $0.utf8.prefix(Self.userAgentLimit), as: UTF8.self) }
    self.conditions = conditions
  }

  /// The daemon itself.
  package static let daemon = Actor(name: "packhouse")

  /// Whether it is the same actor, whatever is attached.
  package static func == (a: Actor, b: Actor) -> Bool {
    a.name == b.name && a.tokenID == b.tokenID && a.address == b.address && a.userAgent == b.userAgent
  }
}
