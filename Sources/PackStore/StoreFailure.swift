import AssetPacks
import Glibc
import SystemIO

/// Why the store refused or could not do something. Each case carries what its sentence needs.
package enum StoreFailure: Error, Equatable, Sendable {
  // The disk and the database
  case system(SystemFailure)
  /// SQLite's result code (extended), its words, and what was being done.
  case database(code: Int32, message: String, doing: String)
  case catalogDamaged(path: String, detail: String)
  case notACatalog(path: String)
  /// There is no catalog, although packs exist or a read-only verb needs one.
  case catalogMissing(path: String)
  case readOnly(path: String)
  case diskFull(path: String)
  /// `free` and `needed` are bytes; `needed` holds what is kept free and what would be added.
  case diskNearlyFull(path: String, free: Int64, needed: Int64)
  /// Another process held the write lock for longer than the busy timeout.
  case catalogBusy(path: String)
  case catalogOlder(path: String)
  case catalogNewer(path: String, found: Int, known: Int)
  case migrationChanged(path: String, name: String)
  case stateFolderInUse(path: String, processID: Int32?)
  /// It does not exist and cannot be created.
  case stateFolderNotMade(path: String, SystemFailure)
  /// A value in the catalog that this program does not know.
  case valueUnknown(column: String, value: String)
  case blobMissing(sha256: String, path: String)
  case blobDamaged(sha256: String, expectedSize: Int64, size: Int64)
  case uploadBytesMissing(upload: String)
  /// `fault` is the rest of a sentence that begins with the path.
  case backupUnusable(path: String, fault: String)
  case folderNotEmpty(path: String)

  // Things that do not exist, or already exist
  case notFound(kind: RecordKind, name: String)
  case alreadyExists(kind: RecordKind, name: String, id: String)
  /// The domain refuses the value.
  case valueInvalid(field: String, AssetPackFailure)
  case valueRefused(field: String, value: String, expected: String)
  /// It was changed since the client read it.
  case wasChanged

  // States
  /// `legalMoves` are the events that are possible from `state`.
  case stateNotAllowed(subject: String, state: String, move: String, legalMoves: [String])
  case packArchived(pack: String)
  /// Devices would delete the pack, and nobody named it. `manifests` are tracks and platforms; `emptied` those of them
  /// that would become empty.
  case archiveWouldRemove(pack: String, manifests: [String], emptied: [String])
  /// The pack cannot be restored: bytes that were live are gone.
  case archiveFinal(pack: String, versions: [Int])
  /// The bytes of the version are gone.
  case versionCollected(pack: String, number: Int)
  case versionNotComplete(pack: String, number: Int, state: VersionState)
  case noCompleteVersion(pack: String)

  // Uploads
  case fileTooLarge(size: Int64, limit: Int64)
  case quota(Quota.Refusal)
  case partPastEnd(part: Int, count: Int)
  case partTooLong(part: Int, expected: Int64)
  case partTooShort(part: Int, expected: Int64, received: Int64)
  /// A later request for the same part took over.
  case partReplaced(part: Int)
  /// Parts are being written at this moment.
  case partsInProgress([Int])
  case partsMissing([Int])
  case uploadClosed(upload: String, state: UploadFileState)

  // Releases
  case reviewRequired(policy: ReviewPolicy)
  case manifestWouldShrink(track: Track, platform: String, packs: [String])
  case manifestWouldBeEmpty(track: Track, platform: String)
  case versionWouldFall(pack: String, track: Track, live: Int, requested: Int)
  case bytesWouldChange(pack: String, number: Int)
  case hostNotAllowed(host: String, app: String, allowed: [String])

  // Reviews
  /// A version of the pack is in an open review, which must end first.
  case reviewInProgress(pack: String, number: Int, track: Track, submission: String)
  /// The submission is not ready for the step; `fault` is a sentence that says what to do.
  case submissionNotReady(submission: String, fault: String)
  /// The policy requires another reviewer than the submitter.
  case reviewerIsSubmitter(reviewer: String, submission: String)
  /// The role may not decide under the policy.
  case roleMayNotReview(role: Role, policy: ReviewPolicy)
  // Rollbacks, rollouts and lanes
  /// Nothing is live on the track that could be replaced.
  case nothingLive(pack: String, track: Track)
  /// No earlier version with other bytes was live.
  case noEarlierVersion(pack: String, track: Track, live: Int)
  /// The version that is wanted has the bytes that are live already.
  case sameBytesLive(pack: String, track: Track, live: Int, requested: Int)
  /// The bytes of the old version are no longer on the disk.
  case bytesGone(pack: String, number: Int)
  case rolloutRunning(pack: String?, track: Track)
  case percentageWouldFall(from: Int, to: Int)
}

/// The kinds of records, for sentences.
package enum RecordKind: String, Sendable {
  case app
  case pack = "asset pack"
  case version
  case upload
  case token
  case apiKey = "API key"
  case auditEvent = "audit event"
  case webhook
  case webhookDelivery = "webhook delivery"
  case release
  case manifest
  case reviewSubmission = "review submission"
  case reviewItem = "review item"
  case reviewDecision = "review decision"
  case rollout
  case lane
}

extension StoreFailure {
  /// A full or read-only disk by its own name, anything else as it is.
  init(_ failure: SystemFailure, path: String) {
    switch failure.code {
    case ENOSPC, EDQUOT: self = .diskFull(path: path)
    case EROFS: self = .readOnly(path: path)
    default: self = .system(failure)
    }
  }
}

/// Runs one step on the file system; its failure names `path`.
func onDisk<T>(_ path: String, _ step: @autoclosure () throws(SystemFailure) -> T) throws(StoreFailure) -> T {
  try onDisk(path, steps: step)
}

/// The same for several steps.
func onDisk<T>(_ path: String, steps: () throws(SystemFailure) -> T) throws(StoreFailure) -> T {
  do throws(SystemFailure) { return try steps() } catch { throw StoreFailure(error, path: path) }
}

/// Runs something that may fail without a path: random bytes.
func random<T>(_ make: @autoclosure () throws(SystemFailure) -> T) throws(StoreFailure) -> T {
  do throws(SystemFailure) { return try make() } catch { throw .system(error) }
}

// The domain's rules on values, in the store's words. Everything that enters the catalog passes here.

/// Makes a value of the domain; its refusal names the field.
func checked<T>(
  _ field: String, _ make: @autoclosure () throws(AssetPackFailure) -> T
) throws(StoreFailure) -> T {
  do throws(AssetPackFailure) { return try make() } catch { throw .valueInvalid(field: field, error) }
}
