import AppleArchive
import PackStore
import Packing

/// Holds an archive against the policy for packs, as a version of one of them.
struct PackRules {
  /// The id of the pack that the version belongs to.
  let pack: String

  /// Every rule at once, so that one look at the answer is enough.
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
