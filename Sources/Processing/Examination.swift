import AppleArchive
import AssetPacks
import EventLoop
import Glibc
import JSONText
import Packing
import PackStore
import SystemIO

/// Examines the bytes of a committed upload: their hash, the archive, its manifest, the rules for packs.
struct Examination {
  let store: PackStore
  let limits: ProcessingLimits
  let stop: StopFlag

  /// Decides on a version. Throws only failures that say nothing about the archive, such as a disk that cannot be read.
  func examine(_ version: VersionRecord, _ upload: UploadRecord) throws(StoreFailure) -> Verdict {
    let file: ArchiveFile
    do throws(SystemFailure) {
      file = try ArchiveFile(try openBytes(upload), path: upload.fileName)
    } catch {
      throw .system(error)
    }
    let hash: String?
    do throws(SystemFailure) { hash = try file.sha256(isStopped: { stop.isRaised }) } catch { throw .system(error) }
    guard let sha256 = hash else { return .stopped }
    if let declared = upload.declaredSHA256, declared != sha256 {
      return .failed([
        VersionMessage(
          .error, code: "CHECKSUM_MISMATCH",
          description: "The received bytes have the SHA-256 \(sha256), but \(declared) was announced at the commit; "
            + "upload the file again.")
      ])
    }
    let report: PackReport
    do throws(ArchiveFailure) {
      report = try PackReport(file, limits: archiveLimits())
    } catch {
      return try verdict(on: error, path: file.path)
    }
    return PackRules(pack: version.assetPackIdentifier).judge(report, sha256: sha256, size: file.length)
  }

  private func openBytes(_ upload: UploadRecord) throws(SystemFailure) -> FileDescriptor {
    do throws(StoreFailure) {
      return try store.openCommittedUpload(upload.id)
    } catch {
      if case .system(let failure) = error { throw failure }
      throw SystemFailure("open", upload.id, code: ENOENT)
    }
  }

  private func archiveLimits() -> ArchiveLimits {
    var archive = limits.archive
    let deadline = MonotonicClock.system.now() + limits.seconds * 1_000_000_000
    let stop = stop
    archive.isExpired = { stop.isRaised || MonotonicClock.system.now() > deadline }
    return archive
  }

  private func verdict(on failure: ArchiveFailure, path: String) throws(StoreFailure) -> Verdict {
    switch failure {
    case .deadlineExpired where stop.isRaised: return .stopped
    // The archive is not to blame for these.
    case .source: throw .system(SystemFailure("read", path, code: EIO))
    case .digestUnavailable: throw .system(SystemFailure("EVP_DigestInit", path, code: ENOMEM))
    default: return .failed([VersionMessage(.error, code: failure.code, description: failure.sentence)])
    }
  }
}

/// Checks an archive against the policy for packs, as a version of one of them.
struct PackRules {
  /// The id of the pack that the version belongs to.
  let pack: String

  /// All rules at once, so that one answer names all faults.
  func judge(_ report: PackReport, sha256: String, size: Int64) -> Verdict {
    let findings = PackPolicy(expectedID: pack).judge(report)
    // Without a manifest nothing is known about the pack, and warnings would only hide that.
    guard let manifest = report.packagingManifest else { return .failed(findings.errors.map(message)) }
    guard findings.errors.isEmpty else { return .failed(findings.map(message)) }
    return .passed(
      ProcessingFacts(
        sha256: sha256, size: size, installSize: report.installSize, platforms: manifest.platforms,
        language: manifest.language, policy: manifest.downloadPolicy, userInfo: manifest.userInfo,
        messages: findings.map(message)))
  }

  private func message(_ finding: PackFinding) -> VersionMessage {
    VersionMessage(
      finding.severity == .error ? .error : .warning, code: finding.code, description: finding.sentence)
  }
}

/// How much one archive may use.
package struct ProcessingLimits: Sendable {
  /// What the reader accepts.
  package var archive: ArchiveLimits
  /// Seconds for one archive.
  package var seconds: Int64

  package init(archive: ArchiveLimits, seconds: Int64) {
    self.archive = archive
    self.seconds = seconds
  }
}
