/// Who did something, for the audit log.
package struct Actor: Sendable, Equatable {
  /// A person's or a token's name.
  package let name: String
  /// The token that was shown.
  package let tokenID: String?
  /// What the request attaches to its change; nil for what nothing is attached to.
  package let terms: ChangeTerms?

  package init(name: String, tokenID: String? = nil, terms: ChangeTerms? = nil) {
    self.name = name
    self.tokenID = tokenID
    self.terms = terms
  }

  /// The daemon itself.
  package static let daemon = Actor(name: "packhouse")

  /// Whether it is the same one, whatever is attached.
  package static func == (a: Actor, b: Actor) -> Bool { a.name == b.name && a.tokenID == b.tokenID }
}
