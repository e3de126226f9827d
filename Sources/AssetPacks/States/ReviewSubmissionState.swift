/// The state of a review submission. Raw values are App Store Connect's names.
package enum ReviewSubmissionState: String, CaseIterable, Sendable {
  case readyForReview = "READY_FOR_REVIEW"
  case waitingForReview = "WAITING_FOR_REVIEW"
  case inReview = "IN_REVIEW"
  case unresolvedIssues = "UNRESOLVED_ISSUES"
  case canceling = "CANCELING"
  case completing = "COMPLETING"
  case complete = "COMPLETE"
}

/// The life of a review submission: a draft until it is submitted; then all of it goes live, or nothing.
package struct ReviewSubmissionStateMachine: StateMachine {
  package enum Event: String, CaseIterable, Sendable {
    /// The first time, or again after all rejected items were resolved or removed.
    case submit
    case beginReview = "begin-review"
    /// At least one item was rejected.
    case findIssues = "find-issues"
    /// Every item passed.
    case approve
    case cancel
    /// The items are live, or are removed.
    case finish
  }

  package static let subject = "review submission"
  package static let creation = ReviewSubmissionState.readyForReview

  /// The moves that follow a submission by themselves when the app's review policy is `none`.
  package static let unreviewedMoves: [Event] = [.beginReview, .approve, .finish]

  package var state: ReviewSubmissionState
  package init(state: ReviewSubmissionState) { self.state = state }

  package static func transition(
    from state: ReviewSubmissionState, on event: Event
  ) -> ReviewSubmissionState? {
    switch (state, event) {
    case (.readyForReview, .submit), (.unresolvedIssues, .submit): .waitingForReview
    case (.waitingForReview, .beginReview): .inReview
    case (.inReview, .findIssues): .unresolvedIssues
    case (.inReview, .approve): .completing
    case (.readyForReview, .cancel), (.waitingForReview, .cancel), (.inReview, .cancel), (.unresolvedIssues, .cancel):
      .canceling
    case (.completing, .finish), (.canceling, .finish): .complete
    default: nil
    }
  }

  package static func deadline(in state: ReviewSubmissionState) -> Deadline? {
    switch state {
    case .readyForReview: .draft
    case .unresolvedIssues: .rejected
    case .waitingForReview: .waitingForReview
    case .inReview: .inReview
    case .canceling, .completing: .processing
    case .complete: nil
    }
  }
}

/// The state of one item of a review submission. Raw values are App Store Connect's names.
package enum ReviewItemState: String, CaseIterable, Sendable {
  case readyForReview = "READY_FOR_REVIEW"
  case accepted = "ACCEPTED"
  case approved = "APPROVED"
  case rejected = "REJECTED"
  case removed = "REMOVED"
}

/// The life of a review item.
package struct ReviewItemStateMachine: StateMachine {
  package enum Event: String, CaseIterable, Sendable {
    /// Passed, while another item of the submission has not.
    case accept
    /// Passed, and so have all items of the submission.
    case approve
    case reject
    case resolve
    case remove
  }

  package static let subject = "review item"
  package static let creation = ReviewItemState.readyForReview

  package var state: ReviewItemState
  package init(state: ReviewItemState) { self.state = state }

  package static func transition(from state: ReviewItemState, on event: Event) -> ReviewItemState? {
    switch (state, event) {
    case (.readyForReview, .accept): .accepted
    case (.readyForReview, .approve), (.accepted, .approve): .approved
    case (.readyForReview, .reject): .rejected
    case (.rejected, .resolve): .readyForReview
    case (.readyForReview, .remove), (.accepted, .remove), (.rejected, .remove): .removed
    default: nil
    }
  }

  package static func deadline(in state: ReviewItemState) -> Deadline? {
    switch state {
    case .readyForReview: .draft
    case .rejected: .rejected
    case .accepted: .accepted
    case .approved, .removed: nil
    }
  }
}
