/// What makes a request with an `Idempotency-Key` the same as another one.
package struct IdempotencyKey: Sendable, Equatable {
  /// The token that sends it: keys of other tokens are other keys.
  package let token: String
  /// The key as sent, 1 to 255 bytes.
  package let text: String
  /// The method and the path.
  package let request: String
  /// The SHA-256 of the body, hexadecimal.
  package let bodySHA256: String

  package init(token: String, text: String, request: String, bodySHA256: String) {
    self.token = token
    self.text = text
    self.request = request
    self.bodySHA256 = bodySHA256
  }
}

/// A request whose work is done, and its answer.
package struct IdempotencyRecord: Sendable, Equatable {
  package let key: IdempotencyKey
  /// The id of the record that the work is about, when the store knows it.
  package let subject: String?
  /// Nil when the program ended between the work and its answer, or the answer may not be kept.
  package let answer: KeptAnswer?

  /// Seconds that a key is kept.
  package static let lifetime: Int64 = 24 * 3600
  /// The most keys that one token has at once.
  package static let keyLimit = 10_000
  /// The longest body of an answer that is kept, in bytes.
  package static let bodyLimit = 256 << 10
  /// How many answers are kept with their body: those of the newest keys.
  package static let keptBodies = 1000
}

/// An answer that a repeat gets.
package struct KeptAnswer: Sendable, Equatable {
  package let status: UInt16
  package let location: String?
  package let body: [UInt8]

  package init(status: UInt16, location: String?, body: [UInt8]) {
    self.status = status
    self.location = location
    self.body = body
  }
}
