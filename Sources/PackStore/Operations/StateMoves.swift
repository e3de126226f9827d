import AssetPacks

// The only places that set a state. What may follow what is said by the state machines of AssetPacks.

extension Change {
  /// Moves a version and writes the audit line.
  func move(version: VersionRecord, to state: VersionState, reason: String? = nil) throws(StoreFailure) {
    let legal: [VersionState] =
      switch version.state {
      case .awaitingUpload: [.processing, .failed]
      case .processing: [.complete, .failed]
      case .failed, .complete: []
      }
    let subject = "\(version.assetPackIdentifier) \(version.number)"
    guard legal.contains(state) else {
      throw .stateNotAllowed(
        subject: subject, state: version.state.rawValue, move: state.rawValue, legalMoves: legal.map(\.rawValue))
    }
    try connection.run(
      "UPDATE versions SET state = ?, changed = ? WHERE id = ?", [SQLValue(state), SQLValue(now), SQLValue(version.id)])
    try audit(
      "version.move", app: version.appID, subject: subject, before: version.state.rawValue, after: state.rawValue,
      reason: reason)
  }

  /// Moves an upload.
  func move(upload: UploadRecord, to state: UploadFileState) throws(StoreFailure) {
    let legal: [UploadFileState] =
      switch upload.state {
      case .awaitingUpload: [.uploadComplete, .failed]
      case .uploadComplete: [.complete, .failed]
      case .failed, .complete: []
      }
    guard legal.contains(state) else {
      throw .stateNotAllowed(
        subject: "The upload \(upload.fileName)", state: upload.state.rawValue, move: state.rawValue,
        legalMoves: legal.map(\.rawValue))
    }
    try connection.run(
      "UPDATE upload_files SET state = ?1, committed = CASE WHEN ?1 = 'UPLOAD_COMPLETE' THEN ?2 ELSE committed END "
        + "WHERE id = ?3",
      [SQLValue(state), SQLValue(now), SQLValue(upload.id)])
  }
}
