import Values

/// Every code of a refusal: the one table of statuses, exit codes and titles.
/// `docs/errors.md` is printed from it.
package enum RefusalCode: String, CaseIterable, Sendable {
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

  /// The properties of a code.
  package struct Row: Sendable, Equatable {
    /// The HTTP status (RFC 9110; 507 from RFC 4918).
    package let status: UInt16
    /// The exit code of a client that gets this code from a server.
    package let exitCode: ExitCode
    /// The short title that all refusals with this code share.
    package let title: String
    /// Whether the same request may succeed later without any change.
    package let isRetryable: Bool

    fileprivate init(_ status: UInt16, _ exitCode: ExitCode, _ title: String, isRetryable: Bool = false) {
      self.status = status
      self.exitCode = exitCode
      self.title = title
      self.isRetryable = isRetryable
    }
  }

  package var row: Row {
    switch self {
    case .malformedJSON: Row(400, .dataError, "The body is not JSON")
    case .parameterInvalid: Row(400, .dataError, "A query parameter is not allowed here")
    case .partTooShort: Row(400, .dataError, "The part ended early", isRetryable: true)
    case .unauthenticated: Row(401, .noPermission, "A valid token is needed")
    case .forbidden: Row(403, .noPermission, "The token's role does not allow this")
    case .signatureInvalid: Row(403, .noPermission, "The upload address is not valid")
    case .notFound: Row(404, .dataError, "There is nothing here")
    case .methodNotAllowed: Row(405, .dataError, "The method is not allowed here")
    case .bodyTooLarge: Row(413, .dataError, "The body is too large")
    case .missingField: Row(422, .dataError, "A field is missing")
    case .wrongType: Row(422, .dataError, "A field has the wrong type")
    case .unknownField: Row(422, .dataError, "A field is unknown")
    case .valueInvalid: Row(422, .dataError, "A value is not allowed")
    case .relationshipInvalid: Row(422, .dataError, "A relationship leads nowhere")
    case .idempotencyKeyInvalid: Row(400, .dataError, "The idempotency key is not valid")
    case .idempotencyKeyReused: Row(409, .dataError, "The idempotency key belongs to another request")
    case .idempotencyInProgress: Row(409, .dataError, "The same request is in progress", isRetryable: true)
    case .idempotencyAnswerNotKept: Row(409, .dataError, "It was done, but the answer was not kept")
    case .idempotencyKeysExhausted:
      Row(429, .temporaryFailure, "The token has too many idempotency keys", isRetryable: true)
    case .preconditionFailed: Row(412, .dataError, "It has changed since it was read")
    case .alreadyExists: Row(409, .dataError, "It already exists")
    case .packArchived: Row(409, .dataError, "The pack is archived")
    case .archiveFinal: Row(409, .dataError, "The pack cannot be restored")
    case .versionCollected: Row(409, .dataError, "The version's bytes are gone")
    case .versionNotComplete: Row(409, .dataError, "The version is not complete")
    case .versionWouldFall: Row(409, .dataError, "The version number would fall")
    case .bytesWouldChange: Row(409, .dataError, "The bytes of a version would change")
    case .stateNotAllowed: Row(409, .dataError, "The state does not allow this")
    case .reviewRequired: Row(409, .dataError, "A review is needed first")
    case .reviewInProgress: Row(409, .dataError, "A review must end first")
    case .submissionNotReady: Row(409, .dataError, "The submission is not ready for this")
    case .reviewerIsSubmitter: Row(403, .noPermission, "Somebody else must decide")
    case .manifestWouldShrink: Row(409, .dataError, "Devices would delete packs")
    case .manifestWouldBeEmpty: Row(409, .dataError, "The manifest would be empty")
    case .hostNotAllowed: Row(409, .configuration, "The host is not on the app's allow-list")
    case .nothingToGoBackTo: Row(409, .dataError, "There is nothing to go back to")
    case .bytesGone: Row(409, .dataError, "The bytes of the version are gone")
    case .rolloutRunning: Row(409, .dataError, "A rollout is running")
    case .partPastEnd: Row(409, .dataError, "There is no such part")
    case .partReplaced: Row(409, .dataError, "Another request sends this part", isRetryable: true)
    case .partsInProgress: Row(409, .dataError, "Parts are still being received", isRetryable: true)
    case .partsMissing: Row(409, .dataError, "Parts are missing")
    case .uploadClosed: Row(409, .dataError, "The upload takes no more bytes")
    case .fileTooLarge: Row(422, .dataError, "The file is too large")
    case .tooManyPacks: Row(422, .dataError, "The app has too many packs")
    case .quotaExceeded: Row(422, .dataError, "The app's quota is used up")
    case .serverQuotaExceeded: Row(507, .unavailable, "The server's quota is used up")
    case .webhookTargetRefused: Row(422, .dataError, "The webhook's address is not allowed")
    case .tooManyFailures: Row(429, .temporaryFailure, "Too many failed attempts", isRetryable: true)
    case .diskFull: Row(507, .unavailable, "The disk is full", isRetryable: true)
    case .catalogBusy: Row(503, .temporaryFailure, "The catalog is busy", isRetryable: true)
    case .catalogUnavailable: Row(503, .temporaryFailure, "The catalog cannot be read", isRetryable: true)
    case .internalFailure: Row(500, .unavailable, "The server failed", isRetryable: true)
    }
  }

  package var status: UInt16 { row.status }
  package var exitCode: ExitCode { row.exitCode }
  package var title: String { row.title }
  package var isRetryable: Bool { row.isRetryable }
}
