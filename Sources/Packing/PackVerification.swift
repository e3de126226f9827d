import AppleArchive
import AssetPacks
import JSONText

/// Whether an archive may go out as a pack: well formed, with a manifest, and within the policy.
package struct PackVerification: Sendable {
  package let assetPackID: AssetPackID?
  package let findings: [PackFinding]

  /// Reads the whole archive. With `isStrict` every warning counts as an error.
  package init(
    _ file: ArchiveFile, profile: PackIDProfile, isStrict: Bool, limits: ArchiveLimits = ArchiveLimits()
  ) {
    do throws(ArchiveFailure) {
      let report = try PackReport(file, limits: limits)
      let findings = PackPolicy(profile: profile).judge(report)
      assetPackID = report.packagingManifest?.assetPackID
      self.findings = isStrict ? findings.map { PackFinding(.error, $0.code, $0.sentence) } : findings
    } catch {
      assetPackID = nil
      findings = [PackFinding(.error, error.code, error.sentence)]
    }
  }

  package var isAccepted: Bool { findings.errors.isEmpty }

  package var json: JSONValue {
    [
      "assetPackID": .optional(assetPackID?.text), "accepted": .bool(isAccepted),
      "errors": .array(findings.errors.map(\.json)), "warnings": .array(findings.warnings.map(\.json)),
    ]
  }
}

extension PackFinding {
  package var json: JSONValue { ["code": .string(code), "description": .string(sentence)] }
}
