import Synchronization

/// How often somebody was not let in, by reason; for metrics.
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
