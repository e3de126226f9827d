import AssetPacks
import CLinux
import Glibc
import JSONText
import SystemIO

/// What processing found in an archive.
package struct ProcessingFacts: Sendable, Equatable {
  /// 64 lower-case hexadecimal digits.
  package let sha256: String
  /// The archive's length in bytes.
  package let size: Int64
  /// The length of what it unpacks to, in bytes.
  package let installSize: Int64
  /// Empty means all.
  package let platforms: [Platform]
  package let language: LanguageTag?
  package let policy: PackDownloadPolicy
  /// Copied from the packaging manifest.
  package let userInfo: JSONObject?
  /// Warnings and infos for `stateDetails`.
  package let messages: [VersionMessage]

  package init(
    sha256: String, size: Int64, installSize: Int64, platforms: [Platform], language: LanguageTag?,
    policy: PackDownloadPolicy, userInfo: JSONObject?, messages: [VersionMessage] = []
  ) {
    self.sha256 = sha256
    self.size = size
    self.installSize = installSize
    self.platforms = platforms
    self.language = language
    self.policy = policy
    self.userInfo = userInfo
    self.messages = messages
  }
}

extension PackStore {
  /// Opens the bytes of a committed upload for reading: the upload, or the blob that it has become when an earlier
  /// run was killed in between.
  package func openCommittedUpload(_ id: String) throws(StoreFailure) -> FileDescriptor {
    let path = blobs.path(ofUpload: id)
    do throws(SystemFailure) {
      return try FileDescriptor.open(path, O_RDONLY)
    } catch {
      guard error.code == ENOENT else { throw StoreFailure(error, path: path) }
    }
    let size = try upload(id).fileSize
    let found = try catalog.read { (connection) throws(StoreFailure) in try connection.foundSHA256(upload: id) }
    guard let found else { throw .uploadBytesMissing(upload: id) }
    return try blobs.openBlob(found, size: size)
  }

  /// Makes the bytes of a committed upload a blob, durably. May be repeated after a kill at any point; a version
  /// refers to the blob only after ``completeProcessing(version:facts:)``.
  package func adoptUpload(_ id: String, sha256: String, size: Int64) throws(StoreFailure) {
    // Written first, so that a start after a kill finds the blob that the upload became.
    try catalog.write { (connection) throws(StoreFailure) in
      try connection.run("UPDATE upload_files SET found_sha256 = ? WHERE id = ?", sha256, id)
    }
    // Never between the last check of a blob that nobody needs and its removal.
    try adopting.withLock { (_: inout sending ()) throws(StoreFailure) in
      try blobs.adopt(upload: id, sha256: sha256, size: size)
    }
  }

  /// Ends the processing of a version with success: it is COMPLETE, live on the internal track (unless a higher one
  /// is), and ready for the others.
  ///
  /// When the pack was archived meanwhile, the version is FAILED.
  /// - Throws: `blobMissing` when the bytes were not adopted before.
  package func completeProcessing(version id: String, facts: ProcessingFacts) throws(StoreFailure) -> VersionRecord {
    guard try blobs.size(ofBlob: facts.sha256) == facts.size else {
      throw .blobMissing(sha256: facts.sha256, path: blobs.path(ofBlob: facts.sha256))
    }
    return try change(.daemon) { (change) throws(StoreFailure) in
      let connection = change.connection
      let version = try connection.version(id)
      if try connection.pack(version.packID).archived {
        try change.fail(version: id, messages: [.archived])
        return try connection.version(id)
      }
      try connection.run(
        "INSERT INTO blobs (sha256, size, created) VALUES (?, ?, ?) "
          + "ON CONFLICT (sha256) DO UPDATE SET collecting = NULL, collected = NULL", facts.sha256, facts.size,
        change.now)
      // The same bytes were uploaded again, so the damage is repaired.
      try connection.forgetDamage(facts.sha256)
      try connection.run(
        """
        UPDATE versions SET sha256 = ?, size = ?, install_size = ?, platforms = ?, language = ?, policy = ?,
          user_info = ? WHERE id = ?
        """, facts.sha256, facts.size, facts.installSize, text(facts.platforms), facts.language?.text,
        facts.policy.json.text(), facts.userInfo.map { JSONValue.object($0).text() }, id)
      try change.move(version: version, [.complete])
      if let upload = try connection.upload(version: id) { try change.move(upload: upload, [.complete]) }
      try connection.addMessages(facts.messages, version: id)
      try createReleases(change, version: try connection.version(id))
      try noteQuota(change, app: version.appID)
      return try connection.version(id)
    }
  }

  /// Ends the processing of a version with a failure, and drops its bytes.
  ///
  /// - Parameter messages: at least one error that says why.
  package func failProcessing(version id: String, messages: [VersionMessage]) throws(StoreFailure) -> VersionRecord {
    let (result, upload) = try change(.daemon) { (change) throws(StoreFailure) in
      try change.fail(version: id, messages: messages)
      return (try change.connection.version(id), try change.connection.upload(version: id)?.id)
    }
    if let upload { try? blobs.removeUpload(upload) }
    return result
  }

  /// Fails the uploads that were reserved before `time` (seconds since 1970) and never committed, so that their bytes
  /// do not stay reserved in the quota.
  ///
  /// - Returns: the versions that failed.
  package func failAbandonedUploads(reservedBefore time: Int64) throws(StoreFailure) -> [VersionRecord] {
    let abandoned = try catalog.read { (connection) throws(StoreFailure) in
      try connection.uploads("state = ?1 AND created < ?2", UploadFileState.awaitingUpload, time)
    }
    var failed: [VersionRecord] = []
    for upload in abandoned {
      let message = VersionMessage(
        .error, code: "UPLOAD_ABANDONED", description: "The upload was not committed in time. Upload a new version.")
      failed.append(
        try leases.closed(upload.id) { () throws(StoreFailure) in
          try failProcessing(version: upload.versionID, messages: [message])
        })
    }
    return failed
  }
}

extension CatalogConnection {
  /// The hash that was found in an upload's bytes, once they were read.
  func foundSHA256(upload id: String) throws(StoreFailure) -> String? {
    try first("SELECT found_sha256 FROM upload_files WHERE id = ?", id) { $0.optionalText(0) } ?? nil
  }
}

extension Change {
  /// Makes a version and its upload FAILED.
  func fail(version id: String, messages: [VersionMessage]) throws(StoreFailure) {
    let reason = messages.first { $0.level == .error }?.description
    let version = try connection.version(id)
    // An upload that is given up before its commit takes both moves at once.
    try move(version: version, version.state == .awaitingUpload ? [.commit, .fail] : [.fail], reason: reason)
    if let upload = try connection.upload(version: id) {
      try move(upload: upload, upload.state == .awaitingUpload ? [.commit, .fail] : [.fail])
    }
    try connection.addMessages(messages, version: id)
  }
}

// How often the processing of a version has begun, stored so that the count survives the end of the process.
extension PackStore {
  /// Counts one more attempt and returns the count, from 1.
  package func beginProcessingAttempt(version id: String) throws(StoreFailure) -> Int {
    let key = attemptsKey(id)
    return try catalog.write { (connection) throws(StoreFailure) in
      let before = try connection.setting(key).flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
      try connection.setSetting(key, Array(String(before + 1).utf8))
      return before + 1
    }
  }

  /// Forgets the count, because processing has ended normally.
  package func forgetProcessingAttempts(version id: String) throws(StoreFailure) {
    try catalog.write { (connection) throws(StoreFailure) in
      try connection.run("DELETE FROM settings WHERE key = ?", attemptsKey(id))
    }
  }

  private func attemptsKey(_ id: String) -> String { "processing-attempts/\(id)" }
}
