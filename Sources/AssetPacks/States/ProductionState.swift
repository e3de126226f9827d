/// The state of a version on the production track, which App Store Connect calls the App Store release. Raw values
/// are its names.
package enum ProductionState: String, CaseIterable, Sendable {
  case prepareForSubmission = "PREPARE_FOR_SUBMISSION"
  case readyForReview = "READY_FOR_REVIEW"
  case waitingForReview = "WAITING_FOR_REVIEW"
  case inReview = "IN_REVIEW"
  case accepted = "ACCEPTED"
  case rejected = "REJECTED"
  case processingForDistribution = "PROCESSING_FOR_DISTRIBUTION"
  case readyForDistribution = "READY_FOR_DISTRIBUTION"
  case superseded = "SUPERSEDED"
}

/// The life of a production release. It enters review as an item of a submission, and goes live together with the
/// others.
package struct ProductionStateMachine: StateMachine {
  package enum Event: String, CaseIterable, Sendable {
    /// Into a draft submission.
    case add
    /// Out of its submission, which may be a draft, under review, or cancelled as a whole.
    case remove
    case submit
    case beginReview = "begin-review"
    case reject
    /// Passed, while another item of the submission has not.
    case accept
    /// Passed, and so have all items of the submission.
    case approve
    /// The submitter has answered the rejection; the item waits in its submission to be submitted again.
    case resolve
    case finishProcessing = "finish-processing"
    /// A newer version took its place, or its rollout was stopped.
    case supersede
  }

  package static let subject = "production release"
  package static let creation = ProductionState.prepareForSubmission

  /// The moves that follow a submission by themselves when the app's review policy is `none`.
  package static let unreviewedMoves: [Event] = [.beginReview, .approve, .finishProcessing]

  package var state: ProductionState
  package init(state: ProductionState) { self.state = state }

  package static func transition(from state: ProductionState, on event: Event) -> ProductionState? {
    switch (state, event) {
    case (.prepareForSubmission, .add): .readyForReview
    case (.readyForReview, .remove), (.waitingForReview, .remove), (.inReview, .remove), (.accepted, .remove),
      (.rejected, .remove):
      .prepareForSubmission
    case (.readyForReview, .submit): .waitingForReview
    case (.waitingForReview, .beginReview): .inReview
    case (.inReview, .reject): .rejected
    case (.inReview, .accept): .accepted
    case (.inReview, .approve), (.accepted, .approve): .processingForDistribution
    case (.rejected, .resolve): .readyForReview
    case (.processingForDistribution, .finishProcessing):
      .readyForDistribution
    case (.readyForDistribution, .supersede), (.processingForDistribution, .supersede): .superseded
    default: nil
    }
  }

  package static func deadline(in state: ProductionState) -> Deadline? {
    switch state {
    case .prepareForSubmission: .submission
    case .readyForReview: .draft
    case .rejected: .rejected
    case .waitingForReview: .waitingForReview
    case .inReview: .inReview
    case .accepted: .accepted
    case .processingForDistribution: .processing
    case .readyForDistribution, .superseded: nil
    }
  }
}
