// The state names of App Store Connect's API: the raw values are what stands on the wire and in the catalog.

/// The state of one version of an asset pack.
package enum VersionState: String, CaseIterable, Sendable {
  case awaitingUpload = "AWAITING_UPLOAD"
  case processing = "PROCESSING"
  case failed = "FAILED"
  case complete = "COMPLETE"
}

/// The state of one uploaded file of a version.
package enum UploadFileState: String, CaseIterable, Sendable {
  case awaitingUpload = "AWAITING_UPLOAD"
  case uploadComplete = "UPLOAD_COMPLETE"
  case complete = "COMPLETE"
  case failed = "FAILED"
}

/// The state of a version on the internal track.
package enum InternalBetaState: String, CaseIterable, Sendable {
  case readyForTesting = "READY_FOR_TESTING"
  case superseded = "SUPERSEDED"
}

/// The state of a version on the beta (external) track.
package enum ExternalBetaState: String, CaseIterable, Sendable {
  case readyForBetaSubmission = "READY_FOR_BETA_SUBMISSION"
  case waitingForReview = "WAITING_FOR_REVIEW"
  case inReview = "IN_REVIEW"
  case rejected = "REJECTED"
  case processingForTesting = "PROCESSING_FOR_TESTING"
  case readyForTesting = "READY_FOR_TESTING"
  case superseded = "SUPERSEDED"
}

/// The state of a version on the production track, which App Store Connect calls the App Store release.
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

/// The state of a review submission.
package enum ReviewSubmissionState: String, CaseIterable, Sendable {
  case readyForReview = "READY_FOR_REVIEW"
  case waitingForReview = "WAITING_FOR_REVIEW"
  case inReview = "IN_REVIEW"
  case unresolvedIssues = "UNRESOLVED_ISSUES"
  case canceling = "CANCELING"
  case completing = "COMPLETING"
  case complete = "COMPLETE"
}

/// The state of one item of a review submission.
package enum ReviewItemState: String, CaseIterable, Sendable {
  case readyForReview = "READY_FOR_REVIEW"
  case accepted = "ACCEPTED"
  case approved = "APPROVED"
  case rejected = "REJECTED"
  case removed = "REMOVED"
}
