/// The state of a version on the beta (external) track. Raw values are App Store Connect's names.
package enum ExternalBetaState: String, CaseIterable, Sendable {
  case readyForBetaSubmission = "READY_FOR_BETA_SUBMISSION"
  case waitingForReview = "WAITING_FOR_REVIEW"
  case inReview = "IN_REVIEW"
  case rejected = "REJECTED"
  case processingForTesting = "PROCESSING_FOR_TESTING"
  case readyForTesting = "READY_FOR_TESTING"
  case superseded = "SUPERSEDED"
}

/// The life of a beta release.
package struct ExternalBetaStateMachine: StateMachine {
  package enum Event: String, CaseIterable, Sendable {
    case submit
    case withdraw
    case beginReview = "begin-review"
    case reject
    case approve
    case finishProcessing = "finish-processing"
    case supersede
  }

  package static let subject = "beta release"
  package static let creation = ExternalBetaState.readyForBetaSubmission

  /// The moves that follow a submission by themselves when the app's review policy is `none`.
  package static let unreviewedMoves: [Event] = [.beginReview, .approve, .finishProcessing]

  package var state: ExternalBetaState
  package init(state: ExternalBetaState) { self.state = state }

  package static func transition(from state: ExternalBetaState, on event: Event) -> ExternalBetaState? {
    switch (state, event) {
    case (.readyForBetaSubmission, .submit): .waitingForReview
    case (.waitingForReview, .withdraw), (.inReview, .withdraw): .readyForBetaSubmission
    case (.waitingForReview, .beginReview): .inReview
    case (.inReview, .reject): .rejected
    case (.inReview, .approve): .processingForTesting
    case (.processingForTesting, .finishProcessing):
      .readyForTesting
    case (.readyForTesting, .supersede), (.processingForTesting, .supersede): .superseded
    default: nil
    }
  }

  package static func deadline(in state: ExternalBetaState) -> Deadline? {
    switch state {
    case .readyForBetaSubmission: .submission
    case .waitingForReview: .waitingForReview
    case .inReview: .inReview
    case .processingForTesting: .processing
    case .rejected, .readyForTesting, .superseded: nil
    }
  }
}
