/// The state of one version of an asset pack. Raw values are App Store Connect's names, on the wire and in the catalog.
package enum VersionState: String, CaseIterable, Sendable {
  case awaitingUpload = "AWAITING_UPLOAD"
  case processing = "PROCESSING"
  case failed = "FAILED"
  case complete = "COMPLETE"
}

/// The life of a version. A failed one stays failed: a retry is a new version.
package struct VersionStateMachine: StateMachine {
  package enum Event: String, CaseIterable, Sendable {
    case commit, fail, complete
  }

  package static let subject = "version"
  package static let creation = VersionState.awaitingUpload

  package var state: VersionState
  package init(state: VersionState) { self.state = state }

  package static func transition(from state: VersionState, on event: Event) -> VersionState? {
    switch (state, event) {
    case (.awaitingUpload, .commit): .processing
    case (.processing, .fail): .failed
    case (.processing, .complete):
      .complete
    default: nil
    }
  }

  package static func deadline(in state: VersionState) -> Deadline? {
    switch state {
    case .awaitingUpload: .upload
    case .processing: .processing
    case .failed, .complete: nil
    }
  }
}
