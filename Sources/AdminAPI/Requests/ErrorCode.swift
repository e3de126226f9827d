/// Every code that the admin API answers with: the one catalogue of statuses and titles.
package enum ErrorCode: String, CaseIterable, Sendable {
  // The request
  case malformedJSON = "MALFORMED_JSON"
  case parameterInvalid = "PARAMETER_INVALID"
  case partTooShort = "PART_TOO_SHORT"
  case unauthenticated = "UNAUTHENTICATED"
  case forbidden = "FORBIDDEN"
  case signatureInvalid = "SIGNATURE_INVALID"
  case notFound = "NOT_FOUND"
  case methodNotAllowed = "METHOD_NOT_ALLOWED"
  case bodyTooLarge = "BODY_TOO_LARGE"
  case missingField = "MISSING_FIELD"
  case wrongType = "WRONG_TYPE"
  case unknownField = "UNKNOWN_FIELD"
  case valueInvalid = "VALUE_INVALID"
  case relationshipInvalid = "RELATIONSHIP_INVALID"
  case idempotencyKeyInvalid = "IDEMPOTENCY_KEY_INVALID"
  case idempotencyKeyReused = "IDEMPOTENCY_KEY_REUSED"
  case idempotencyInProgress = "IDEMPOTENCY_IN_PROGRESS"
  case idempotencyAnswerNotKept = "IDEMPOTENCY_ANSWER_NOT_KEPT"
  case idempotencyKeysExhausted = "IDEMPOTENCY_KEYS_EXHAUSTED"
  case preconditionFailed = "PRECONDITION_FAILED"

  // The state of things
  case alreadyExists = "ALREADY_EXISTS"
  case packArchived = "PACK_ARCHIVED"
  case archiveFinal = "ARCHIVE_FINAL"
  case versionCollected = "VERSION_COLLECTED"
  case versionNotComplete = "VERSION_NOT_COMPLETE"
  case versionWouldFall = "VERSION_WOULD_FALL"
  case bytesWouldChange = "BYTES_WOULD_CHANGE"
  case stateNotAllowed = "STATE_NOT_ALLOWED"
  case reviewRequired = "REVIEW_REQUIRED"
  case reviewInProgress = "REVIEW_IN_PROGRESS"
  case submissionNotReady = "SUBMISSION_NOT_READY"
  case reviewerIsSubmitter = "REVIEWER_IS_SUBMITTER"
  case manifestWouldShrink = "MANIFEST_WOULD_SHRINK"
  case manifestWouldBeEmpty = "MANIFEST_WOULD_BE_EMPTY"
  case hostNotAllowed = "HOST_NOT_ALLOWED"
  case nothingToGoBackTo = "NOTHING_TO_GO_BACK_TO"
  case bytesGone = "BYTES_GONE"
  case rolloutRunning = "ROLLOUT_RUNNING"
  case partPastEnd = "PART_PAST_END"
  case partReplaced = "PART_REPLACED"
  case partsInProgress = "PARTS_IN_PROGRESS"
  case partsMissing = "PARTS_MISSING"
  case uploadClosed = "UPLOAD_CLOSED"
  case fileTooLarge = "FILE_TOO_LARGE"
  case tooManyPacks = "TOO_MANY_PACKS"
  case quotaExceeded = "QUOTA_EXCEEDED"
  case serverQuotaExceeded = "SERVER_QUOTA_EXCEEDED"
  case webhookTargetRefused = "WEBHOOK_TARGET_REFUSED"
  case tooManyFailures = "TOO_MANY_FAILED_ATTEMPTS"

  // The server
  case diskFull = "DISK_FULL"
  case catalogBusy = "CATALOG_BUSY"
  case catalogUnavailable = "CATALOG_UNAVAILABLE"
  case internalFailure = "INTERNAL_FAILURE"

  /// The HTTP status (RFC 9110; 507 from RFC 4918).
  package var status: UInt16 {
    switch self {
    case .malformedJSON, .parameterInvalid, .partTooShort: 400
    case .idempotencyKeyInvalid: 400
    case .unauthenticated: 401
    case .forbidden, .signatureInvalid, .reviewerIsSubmitter: 403
    case .notFound: 404
    case .methodNotAllowed: 405
    case .archiveFinal, .versionCollected: 409
    case .alreadyExists, .packArchived, .versionNotComplete, .versionWouldFall, .bytesWouldChange, .stateNotAllowed,
      .reviewRequired, .reviewInProgress, .submissionNotReady, .manifestWouldShrink, .manifestWouldBeEmpty,
      .hostNotAllowed, .partPastEnd, .partReplaced,
      .partsInProgress, .nothingToGoBackTo, .bytesGone, .rolloutRunning, .partsMissing, .uploadClosed:
      409
    case .idempotencyKeyReused, .idempotencyInProgress, .idempotencyAnswerNotKept: 409
    case .preconditionFailed: 412
    case .bodyTooLarge: 413
    case .missingField, .wrongType, .unknownField, .valueInvalid, .relationshipInvalid, .fileTooLarge, .tooManyPacks,
      .quotaExceeded:
      422
    case .webhookTargetRefused: 422
    case .tooManyFailures: 429
    case .idempotencyKeysExhausted: 429
    case .internalFailure: 500
    case .catalogBusy, .catalogUnavailable: 503
    case .diskFull, .serverQuotaExceeded: 507
    }
  }

  /// The same few words for every error of this code.
  package var title: String {
    switch self {
    case .malformedJSON: "The body is not JSON"
    case .parameterInvalid: "A query parameter is not allowed here"
    case .partTooShort: "The part ended early"
    case .unauthenticated: "A valid token is needed"
    case .forbidden: "The token's role does not allow this"
    case .signatureInvalid: "The upload address is not valid"
    case .notFound: "There is nothing here"
    case .methodNotAllowed: "The method is not allowed here"
    case .bodyTooLarge: "The body is too large"
    case .missingField: "A field is missing"
    case .wrongType: "A field has the wrong type"
    case .unknownField: "A field is not known"
    case .valueInvalid: "A value is not allowed"
    case .relationshipInvalid: "A relationship leads nowhere"
    case .idempotencyKeyInvalid: "The idempotency key is not valid"
    case .idempotencyKeyReused: "The idempotency key stands for another request"
    case .idempotencyInProgress: "The same request is being worked on"
    case .idempotencyAnswerNotKept: "It was done, and the answer is gone"
    case .idempotencyKeysExhausted: "The token has too many idempotency keys"
    case .preconditionFailed: "It was changed since it was read"
    case .alreadyExists: "It exists already"
    case .packArchived: "The pack is archived"
    case .archiveFinal: "The pack cannot come back"
    case .versionCollected: "The version's bytes are gone"
    case .versionNotComplete: "The version is not complete"
    case .versionWouldFall: "The version number would fall"
    case .bytesWouldChange: "The bytes of a version would change"
    case .stateNotAllowed: "The state does not allow this"
    case .reviewRequired: "A review is needed first"
    case .reviewInProgress: "A review has to end first"
    case .submissionNotReady: "The submission is not ready for this"
    case .reviewerIsSubmitter: "Somebody else has to decide"
    case .manifestWouldShrink: "Devices would delete packs"
    case .manifestWouldBeEmpty: "The manifest would be empty"
    case .hostNotAllowed: "The host is not on the app's allow-list"
    case .nothingToGoBackTo: "There is nothing to go back to"
    case .bytesGone: "The bytes of the version are gone"
    case .rolloutRunning: "A rollout is running"
    case .partPastEnd: "There is no such part"
    case .partReplaced: "Another request sends this part"
    case .partsInProgress: "Parts are still being received"
    case .partsMissing: "Parts are missing"
    case .uploadClosed: "The upload takes no more bytes"
    case .fileTooLarge: "The file is too large"
    case .tooManyPacks: "The app has too many packs"
    case .quotaExceeded: "The app's quota is used up"
    case .serverQuotaExceeded: "The server's quota is used up"
    case .webhookTargetRefused: "The webhook's address is not allowed"
    case .tooManyFailures: "Too many failed attempts"
    case .diskFull: "The disk is full"
    case .catalogBusy: "The catalog is busy"
    case .catalogUnavailable: "The catalog cannot be read"
    case .internalFailure: "The server failed"
    }
  }

  /// Whether the same request may succeed later without any change.
  package var isRetryable: Bool {
    switch self {
    case .idempotencyInProgress, .idempotencyKeysExhausted: true
    case .partTooShort, .partReplaced, .partsInProgress, .diskFull, .catalogBusy, .catalogUnavailable,
      .internalFailure, .tooManyFailures:
      true
    default: false
    }
  }
}
