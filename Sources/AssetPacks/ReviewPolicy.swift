/// Who must look at a release before it goes live.
package enum ReviewPolicy: String, CaseIterable, Sendable {
  /// A submission is approved at once.
  case none
  /// Someone with the reviewer role approves.
  case required
  /// Someone with the reviewer role who did not submit it approves.
  case fourEyes
}

extension ReviewPolicy {
  /// Whether someone with `role` may accept or reject a submission.
  /// - Parameter isSubmitter: whether it is the one who submitted it.
  package func allowsDecision(by role: Role, isSubmitter: Bool) -> Bool {
    switch self {
    case .none: role != .viewer
    case .required: role == .reviewer || role == .admin
    case .fourEyes: (role == .reviewer || role == .admin) && !isSubmitter
    }
  }
}
