import AssetPacks
import Glibc
import SystemIO

extension StoreFailure {
  /// What is wrong, where, what was expected and what to do.
  package var sentence: String { refusal.sentence }

  /// The one table of what the store refuses: a row for each case, and no default, so that none is forgotten.
  package var refusal: Refusal {
    switch self {
    case .system(let failure):
      return .local(failure.code == EACCES || failure.code == EROFS ? .cannotCreate : .system, failure.sentence)
    case .database(let code, let message, let doing):
      return .catalog("The catalog failed while \(doing): \(message) (SQLite \(code)).")
    case .catalogDamaged(let path, let detail):
      return .catalog(
        "The catalog \(path) is damaged (\(detail)). Stop the daemon, keep a copy, and restore the last backup.")
    case .catalogMissing(let path):
      return .catalog(
        "There is no catalog at \(path). Restore its last backup; on a new server, start the daemon first, which "
          + "creates it.")
    case .notACatalog(let path):
      return .catalog(
        "\(path) is not a Packhouse catalog. Restore its last backup, or point stateDirectory at another folder.")
    case .readOnly(let path):
      return .local(
        .cannotCreate, "\(path) cannot be written. The daemon's user must own it and the file system must be writable.")
    case .diskFull(let path):
      return .disk("The file system of \(path) is full. Make room, then try again; nothing was lost.")
    case .diskNearlyFull(let path, let free, let needed):
      return .disk(
        "The file system of \(path) has \(free) bytes free, and \(needed) are needed, including the reserve of "
          + "limits.freeSpace. Make room, then try again; nothing was lost.")
    case .catalogBusy(let path):
      return Refusal(
        .catalogBusy,
        "Another process has kept \(path) locked for too long. Try again, and look for a backup that hangs.")
    case .catalogOlder(let path):
      return .local(
        .software,
        "\(path) was written by an older Packhouse. Start the daemon of this release once; it upgrades the "
          + "catalog.")
    case .catalogNewer(let path, let found, let known):
      return .catalog(
        "\(path) was written by a newer Packhouse (format \(found), this one knows \(known)). Install the newer one.")
    case .migrationChanged(let path, let name):
      return .catalog(
        "\(path) was created with a different \(name) than this program's. Install the release that wrote it.")
    case .stateFolderInUse(let path, let processID):
      return .local(
        .unavailable,
        "Another packhouse uses the state folder \(path)\(processID.map { " (process \($0))" } ?? ""). Stop it first.")
    case .stateFolderNotMade(let path, let failure):
      return .local(
        .cannotCreate,
        "The state folder \(path) cannot be created: \(failure.subject): \(failure.reason). "
          + "Choose another one, or create it and make the daemon's user its owner.")
    case .valueUnknown(let column, let value):
      return .catalog("The catalog holds “\(value)” in \(column), which this program does not know.")
    case .blobMissing(let sha256, let path):
      return .local(
        .software, "The bytes of \(sha256) are missing: there is no file \(path). Restore it from a backup.")
    case .blobDamaged(let sha256, let expected, let size):
      return .local(
        .software, "The file of \(sha256) has \(size) bytes instead of \(expected). Restore it from a backup.")
    case .uploadBytesMissing(let upload):
      return .local(.software, "The received bytes of the upload \(upload) are missing. Upload a new version.")
    case .notFound(let kind, let name):
      return Refusal(.notFound, "There is no \(kind.rawValue) \(name).")
    case .alreadyExists(let kind, let name, let id):
      return Refusal(.alreadyExists, "The \(kind.rawValue) \(name) already exists (\(id)).")
    case .valueInvalid(let field, let failure):
      return Refusal(.valueInvalid, "\(field): \(failure.sentence).")
    case .valueRefused(let field, let value, let expected):
      return Refusal(.valueInvalid, "\(field) is “\(value)”; expected \(expected).")
    case .wasChanged:
      return Refusal(
        .preconditionFailed,
        "It has changed since you read it. Read it again, see what is different, and send your change again.")
    case .stateNotAllowed(let subject, let state, let move, let legal):
      return Refusal(
        .stateNotAllowed,
        "\(subject) is \(state), which does not allow \(move). "
          + (legal.isEmpty
            ? "No move is possible from there." : "Possible from there: \(legal.joined(separator: ", "))."))
    case .packArchived(let pack):
      return Refusal(.packArchived, "The pack \(pack) is archived. Take it out of the archive first.")
    case .archiveWouldRemove(let pack, let manifests, let emptied):
      return Refusal(
        .manifestWouldShrink,
        "Archiving \(pack) takes it out of the manifests \(manifests.joined(separator: ", ")), and devices delete it "
          + "at their next check. "
          + (emptied.isEmpty
            ? "" : "It is the last pack in \(emptied.joined(separator: ", ")), which will be empty. ")
          + "Name it in confirmedRemovals if that is meant.")
    case .archiveFinal(let pack, let versions):
      return Refusal(
        .archiveFinal,
        "The pack \(pack) cannot be restored: the bytes of version \(list(versions)) were "
          + "live and have been collected. Create a pack with another identifier.")
    case .versionCollected(let pack, let number):
      return Refusal(
        .versionCollected,
        "The bytes of version \(number) of \(pack) were collected. Upload them again as a new version.")
    case .versionNotComplete(let pack, let number, let state):
      return Refusal(
        .versionNotComplete,
        "Version \(number) of \(pack) is \(state.rawValue); only a COMPLETE version can be released.")
    case .noCompleteVersion(let pack):
      return Refusal(
        .versionNotComplete, "\(pack) has no COMPLETE version yet. Upload one and wait until it is processed.")
    case .fileTooLarge(let size, let limit):
      return Refusal(.fileTooLarge, "The file has \(size) bytes; the limit is \(limit).")
    case .quota(let refusal):
      return Refusal(
        Self.quotaCode(refusal), "\(refusal.sentence.prefix(1).uppercased() + refusal.sentence.dropFirst()).")
    case .partPastEnd(let part, let count):
      return Refusal(.partPastEnd, "There is no part \(part): the file has \(count).")
    case .partTooLong(let part, let expected):
      return Refusal(.bodyTooLarge, "Part \(part) is longer than its \(expected) bytes.")
    case .partTooShort(let part, let expected, let received):
      return Refusal(.partTooShort, "Part \(part) ended after \(received) of \(expected) bytes. Send it again.")
    case .partReplaced(let part):
      return Refusal(.partReplaced, "Another request for part \(part) took over.")
    case .partsInProgress(let parts):
      return Refusal(
        .partsInProgress,
        "Parts \(list(parts)) are still being received. Commit when those requests are answered.")
    case .partsMissing(let parts):
      return Refusal(.partsMissing, "Parts \(list(parts)) have not arrived. Send them, then commit again.")
    case .uploadClosed(let upload, let state):
      return Refusal(.uploadClosed, "The upload \(upload) is \(state.rawValue) and takes no more parts.")
    case .reviewRequired(let policy):
      return Refusal(
        .reviewRequired,
        "The app's review policy is \(policy.rawValue): submit the versions for review instead of releasing them, with "
          + "POST /v1/reviewSubmissions or packhouse review submit.")
    case .manifestWouldShrink(let track, let platform, let packs):
      return Refusal(
        .manifestWouldShrink,
        "The \(track.rawValue) manifest for \(platform) would lose \(packs.joined(separator: ", ")), and devices would "
          + "delete them. Name them in confirmedRemovals if that is meant.")
    case .manifestWouldBeEmpty(let track, let platform):
      return Refusal(
        .manifestWouldBeEmpty,
        "The \(track.rawValue) manifest for \(platform) would list no pack, and devices would delete all of theirs.")
    case .versionWouldFall(let pack, let track, let live, let requested):
      return Refusal(
        .versionWouldFall,
        "\(pack) is at version \(live) on \(track.rawValue); devices never go back to \(requested). A rollback "
          + "gives the old bytes a new number.")
    case .bytesWouldChange(let pack, let number):
      return Refusal(
        .bytesWouldChange,
        "\(pack) would change its bytes under version \(number), and devices would not notice. Upload a new version.")
    case .hostNotAllowed(let host, let app, let allowed):
      return Refusal(
        .hostNotAllowed,
        "Links of \(app) would point to \(host), which is not on its domain allow-list "
          + "(\(allowed.joined(separator: ", "))). Add it there, or change the public base URL.")
    case .reviewInProgress(let pack, let number, let track, let submission):
      return Refusal(
        .reviewInProgress,
        "Version \(number) of \(pack) is in the review submission \(submission) for \(track.rawValue). "
          + "Wait until that review ends, or withdraw it.")
    case .submissionNotReady(let submission, let fault):
      return Refusal(.submissionNotReady, "The review submission \(submission): \(fault)")
    case .reviewerIsSubmitter(let reviewer, let submission):
      return Refusal(
        .reviewerIsSubmitter,
        "\(reviewer) submitted \(submission), and the app's review policy is fourEyes: somebody else must decide, "
          + "with a token of a different name. To cancel the submission, withdraw it.")
    case .roleMayNotReview(let role, let policy):
      return Refusal(
        .forbidden,
        "The role \(role.rawValue) may not decide on reviews under the policy \(policy.rawValue); that needs a "
          + "reviewer.")
    case .nothingLive(let pack, let track):
      return Refusal(
        .nothingToGoBackTo,
        "\(pack) has nothing live on \(track.rawValue), so there is nothing to roll back, and nothing for "
          + "other clients "
          + "to keep. Release it.")
    case .noEarlierVersion(let pack, let track, let live):
      return Refusal(
        .nothingToGoBackTo,
        "No version of \(pack) was live on \(track.rawValue) before the bytes of version \(live). Name the version to "
          + "go back to.")
    case .sameBytesLive(let pack, let track, let live, let requested):
      return Refusal(
        .nothingToGoBackTo,
        "\(pack) has the bytes of version \(requested) on \(track.rawValue) already, as version \(live). Name another "
          + "version.")
    case .bytesGone(let pack, let number):
      return Refusal(
        .bytesGone,
        "The bytes of version \(number) of \(pack) are no longer on the server. Restore the file from a backup, or "
          + "upload the archive again and release it.")
    case .rolloutRunning(let pack, let track):
      return Refusal(
        .rolloutRunning,
        "A rollout \(pack.map { "of \($0) " } ?? "")runs on \(track.rawValue). Finish or stop it first.")
    case .percentageWouldFall(let from, let to):
      return Refusal(
        .versionWouldFall,
        "The rollout has reached \(from) percent; at \(to) the version number would fall for some devices. Stop it to "
          + "give everybody the old bytes again.")
    case .backupUnusable(let path, let fault):
      return .local(.noInput, "\(path) cannot be used: \(fault).")
    case .folderNotEmpty(let path):
      return .local(
        .cannotCreate,
        "\(path) is not empty, and a restore overwrites nothing. Name an empty folder, or one that does not exist.")
    }
  }

  private static func quotaCode(_ refusal: Quota.Refusal) -> RefusalCode {
    switch refusal {
    case .packs: .tooManyPacks
    case .bytes: .quotaExceeded
    case .packBytes: .fileTooLarge
    case .server: .serverQuotaExceeded
    }
  }

  /// At most twenty numbers, so that the sentence stays short for a file with thousands of parts.
  private func list(_ parts: [Int]) -> String {
    let shown = parts.prefix(20).map { String($0) }.joined(separator: ", ")
    return parts.count > 20 ? "\(shown) and \(parts.count - 20) more" : shown
  }
}
