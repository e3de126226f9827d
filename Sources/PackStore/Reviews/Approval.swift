import AssetPacks

extension PackStore {
  /// Refuses bytes that were never live on the track of an app with a review policy: what was live there was approved
  /// once, under whatever number.
  func checkApproved(
    _ connection: CatalogConnection, app: AppRecord, track: Track, version: VersionRecord
  ) throws(StoreFailure) {
    if app.reviewPolicy == .none || track == .internal { return }
    guard try connection.wereLive(pack: version.packID, track: track, sha256: version.sha256) else {
      throw .reviewRequired(policy: app.reviewPolicy)
    }
  }
}

extension CatalogConnection {
  /// Refuses a version that is in review: the verdict makes it live.
  func checkNotInReview(_ version: VersionRecord, track: Track) throws(StoreFailure) {
    guard let item = try openReviewItem(version: version.id, track: track) else { return }
    throw .reviewInProgress(
      pack: version.assetPackIdentifier, number: version.number, track: track, submission: item.submissionID)
  }

  /// Whether these bytes were live on the track as some version of the pack.
  func wereLive(pack: String, track: Track, sha256: String?) throws(StoreFailure) -> Bool {
    try first(
      """
      SELECT 1 FROM releases r JOIN versions v ON v.id = r.version_id
      WHERE r.pack_id = ? AND r.track = ? AND r.went_live IS NOT NULL AND v.sha256 = ? LIMIT 1
      """, pack, track, sha256
    ) { _ in true } ?? false
  }
}
