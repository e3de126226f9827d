/// How long a thing may stay in a state before it is reported. Raw values are the keys of `deadlines` in the
/// configuration.
package enum Deadline: String, CaseIterable, Sendable {
  /// A version, and its file, that waits for its bytes.
  case upload
  /// What the server does by itself.
  case processing
  /// A version that could be submitted and is not.
  case submission
  /// A submission that is being put together.
  case draft
  /// Submitted, and no reviewer has begun.
  case waitingForReview
  /// A review that has begun.
  case inReview
  /// Passed, while the rest of the submission has not.
  case accepted
  /// Rejected, and nobody has answered.
  case rejected
  /// A staged rollout that is neither finished nor stopped.
  case rollout
  /// One that was paused.
  case pausedRollout

  /// Seconds, when the configuration says nothing else.
  package var defaultSeconds: Int {
    switch self {
    case .upload, .accepted, .pausedRollout: 7 * 86_400
    case .processing: 3600
    case .submission: 90 * 86_400
    case .rollout: 30 * 86_400
    case .draft, .rejected: 14 * 86_400
    case .waitingForReview: 3 * 86_400
    case .inReview: 2 * 86_400
    }
  }
}

/// The deadlines of one server.
package struct Deadlines: Equatable, Sendable {
  private var changed: [Deadline: Int] = [:]

  /// All of them with their defaults.
  package init() {}

  /// Seconds; 0 means that it is never reported.
  package subscript(deadline: Deadline) -> Int {
    get { changed[deadline] ?? deadline.defaultSeconds }
    set { changed[deadline] = max(0, newValue) }
  }
}
