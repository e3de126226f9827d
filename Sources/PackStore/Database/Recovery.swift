import AssetPacks
import SystemIO

/// What a start found and repaired.
package struct RecoveryReport: Sendable, Equatable {
  /// Files that were being written when the last run ended.
  package var removedTemporaryFiles: [String] = []
  /// Files in `uploads/` that belong to no open upload.
  package var removedUploads: [String] = []
  /// Versions whose received bytes are gone; they are FAILED now.
  package var failedVersions: [VersionRecord] = []
  /// Versions whose processing has to be started again, the oldest first.
  package var inProcessing: [VersionRecord] = []
}

extension PackStore {
  /// Repairs what the last run left half-done. To be called once after opening, before anything else.
  ///
  /// - Parameter writesPublications: false for a caller that calls ``writePublications()`` later.
  package func recover(writesPublications: Bool = true) throws(StoreFailure) -> RecoveryReport {
    var report = RecoveryReport()
    report.removedTemporaryFiles = try removeTemporaryFiles()
    let uploads = try catalog.read { (connection) throws(StoreFailure) in
      try connection.uploads(
        "state IN (?1, ?2) ORDER BY seq", UploadFileState.awaitingUpload, UploadFileState.uploadComplete)
    }
    let open = Set(uploads.map(\.id))
    let uploadsFolder = blobs.uploadsFolder
    let names = try onDisk(uploadsFolder, try Folder.names(uploadsFolder))
    for name in names where !open.contains(name) {
      try blobs.removeUpload(name)
      report.removedUploads.append(name)
    }
    for upload in uploads where !names.contains(upload.id) {
      if try isAdopted(upload) { continue }
      let message = VersionMessage(
        .error, code: "UPLOAD_LOST", description: StoreFailure.uploadBytesMissing(upload: upload.id).sentence)
      report.failedVersions.append(try failProcessing(version: upload.versionID, messages: [message]))
    }
    report.inProcessing = try versionsInProcessing()
    if writesPublications { writePublications() }
    return report
  }

  /// Writes the published copies of all apps: a run that was killed between its commit and this has left older ones.
  package func writePublications() {
    let ids = try? catalog.read { (connection) throws(StoreFailure) in
      try connection.rows("SELECT id FROM apps ORDER BY seq") { $0.text(0) }
    }
    for id in ids ?? [] { writePublication(app: id) }
  }

  /// Whether a committed upload has become a blob, so that its processing can continue from there.
  private func isAdopted(_ upload: UploadRecord) throws(StoreFailure) -> Bool {
    guard upload.state == .uploadComplete else { return false }
    let found = try catalog.read { (connection) throws(StoreFailure) in try connection.foundSHA256(upload: upload.id) }
    guard let found else { return false }
    return try blobs.size(ofBlob: found) == upload.fileSize
  }

  private func removeTemporaryFiles() throws(StoreFailure) -> [String] {
    var removed: [String] = []
    var folders = [blobs.publishedFolder, options.folder]
    while let folder = folders.popLast() {
      let names = try onDisk(folder, try Folder.names(folder))
      for name in names {
        let path = "\(folder)/\(name)"
        if name.hasSuffix(AtomicFile.temporarySuffix) {
          _ = try onDisk(path, try removeFile(path))
          removed.append(path)
        } else if folder.hasPrefix(blobs.publishedFolder),
          try onDisk(path, try FileStatus.of(path)?.isFolder == true)
        {
          folders.append(path)
        }
      }
    }
    return removed
  }
}
