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
  package static let creation = Transition(ReviewItemState.readyForReview)

  package var state: ReviewItemState
  package init(state: ReviewItemState) { self.state = state }

  package static func transition(from state: ReviewItemState, on event: Event) -> Transition<ReviewItemState>? {
    switch (state, event) {
    case (.readyForReview, .accept): Transition(.accepted)
    case (.readyForReview, .approve), (.accepted, .approve): Transition(.approved)
    case (.readyForReview, .reject): Transition(.rejected)
    case (.rejected, .resolve): Transition(.readyForReview)
    case (.readyForReview, .remove), (.accepted, .remove), (.rejected, .remove): Transition(.removed)
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
