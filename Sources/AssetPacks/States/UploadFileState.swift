/// The state of one uploaded file of a version. Raw values are App Store Connect's names.
package enum UploadFileState: String, CaseIterable, Sendable {
  case awaitingUpload = "AWAITING_UPLOAD"
  case uploadComplete = "UPLOAD_COMPLETE"
  case complete = "COMPLETE"
  case failed = "FAILED"
}

/// The life of an uploaded file.
package struct UploadFileStateMachine: StateMachine {
  package enum Event: String, CaseIterable, Sendable {
    case commit, fail, complete
  }

  package static let subject = "upload file"
  package static let creation = UploadFileState.awaitingUpload

  package var state: UploadFileState
  package init(state: UploadFileState) { self.state = state }

  package static func transition(from state: UploadFileState, on event: Event) -> UploadFileState? {
    switch (state, event) {
    case (.awaitingUpload, .commit): .uploadComplete
    case (.uploadComplete, .fail): .failed
    case (.uploadComplete, .complete): .complete
    default: nil
    }
  }

  package static func deadline(in state: UploadFileState) -> Deadline? {
    switch state {
    case .awaitingUpload: .upload
    case .uploadComplete: .processing
    case .complete, .failed: nil
    }
  }
}
