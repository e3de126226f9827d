/// Who did something, for the audit log.
package struct Actor: Sendable, Equatable {
  /// A person's or a token's name.
  package let name: String
  /// The token that was shown.
  package let tokenID: String?

  package init(name: String, tokenID: String? = nil) {
    self.name = name
    self.tokenID = tokenID
  }

  /// The daemon itself.
  package static let daemon = Actor(name: "packhouse")
}
