import AppleArchive
import AssetPacks
import JSONText
import Values

/// What a well-formed archive must be to go out as a pack. The daemon and `pack verify` hold archives against it.
package struct PackPolicy: Sendable {
  /// The id that the pack must have, where it is known.
  package var expectedID: String?
  package var profile: PackIDProfile

  package init(expectedID: String? = nil, profile: PackIDProfile = .appStore) {
    self.expectedID = expectedID
    self.profile = profile
  }

  /// Every rule at once, so that one look at the answer is enough: errors first, then warnings.
  package func judge(_ report: PackReport) -> [PackFinding] {
    let inspection = report.inspection
    var findings: [PackFinding] = []
    for entry in inspection.entries where entry.type == .link {
      findings.append(
        PackFinding(
          .error, "LINK_NOT_ALLOWED",
          "\(entry.path.escaped) is a symbolic link; a pack holds files and folders only."))
    }
    findings += inspection.warnings.filter { !isDecidedHere($0) }.map { PackFinding(.warning, $0.code, $0.sentence) }
    let manifest = manifest(report, &findings)
    if let manifest { judge(manifest, report, &findings) }
    findings += layout(inspection)
    if let manifest, let complaint = profile.complaint(about: manifest.assetPackID) {
      let sentence = "\(complaint.prefix(1).uppercased())\(complaint.dropFirst())."
      findings.append(PackFinding(.warning, "PACK_ID_STORE_PROFILE", sentence))
    }
    return findings.errors + findings.warnings
  }

  /// Links and executables become errors or warnings of their own.
  private func isDecidedHere(_ warning: ArchiveWarning) -> Bool {
    switch warning {
    case .link, .executable, .noManifest, .severalManifests: true
    default: false
    }
  }

  private func judge(_ manifest: PackagingManifest, _ report: PackReport, _ findings: inout [PackFinding]) {
    if let expectedID, manifest.assetPackID.text != expectedID {
      findings.append(
        PackFinding(
          .error, "PACK_ID_MISMATCH",
          "The archive's manifest is for the pack \(quoted(manifest.assetPackID.text)), but it was uploaded "
            + "as a version of \(quoted(expectedID))."))
    }
    findings += executables(report.inspection, manifest)
    if let expected = manifest.userInfo?[ContentDigest.key] {
      let found = report.contentSHA256
      if expected.string?.lowercased() != found {
        findings.append(
          PackFinding(
            .error, "CONTENT_SHA256_MISMATCH",
            "The manifest's userInfo.\(ContentDigest.key) is \(expected.string.map(quoted) ?? expected.kind), but the "
              + "files have \(found); pack them again with --sha256."))
      }
    }
  }

  private func manifest(_ report: PackReport, _ findings: inout [PackFinding]) -> PackagingManifest? {
    switch report.manifest {
    case .found(let manifest, _): return manifest
    case .missing:
      findings.append(
        PackFinding(
          .error, "MANIFEST_MISSING",
          "The archive has no Manifest.json at its top level; make it with packhouse pack package or ba-package."))
    case .ambiguous(let paths):
      let names = paths.map(\.escaped).joined(separator: " and ")
      findings.append(
        PackFinding(
          .error, "MANIFEST_AMBIGUOUS",
          "The archive has no Manifest.json, and \(names) could each be its packaging manifest; keep one."))
    case .invalid(let path, let failure):
      let faults = failure.manifestFaults.prefix(100)
      for fault in faults {
        findings.append(PackFinding(.error, "MANIFEST_INVALID", asSentence("\(path.escaped), \(fault.sentence)")))
      }
      if faults.isEmpty {
        findings.append(PackFinding(.error, "MANIFEST_INVALID", asSentence("\(path.escaped): \(failure.sentence)")))
      }
    }
    return nil
  }

  /// macOS runs what it finds, so a pack for it holds no programs; other platforms do not run them at all.
  private func executables(_ inspection: ArchiveInspection, _ manifest: PackagingManifest) -> [PackFinding] {
    let isForMac = manifest.effectivePlatforms.contains(.macOS)
    return inspection.entries.filter(\.isMachOExecutable).map { entry in
      let what = "\(entry.path.escaped) is a Mach-O executable"
      return isForMac
        ? PackFinding(
          .error, "EXECUTABLE_NOT_ALLOWED",
          "\(what), which a pack for macOS may not hold; take it out, or name the platforms without macOS.")
        : PackFinding(.warning, "EXECUTABLE_IN_PACK", "\(what); no device runs it.")
    }
  }

  /// Devices see what lies below `Contents/` and nothing else.
  private func layout(_ inspection: ArchiveInspection) -> [PackFinding] {
    let outside = inspection.entries.filter { entry in
      entry.type == .file && entry.devicePath == nil && entry.path.text.utf8.contains(UInt8(ascii: "/"))
    }
    guard let first = outside.first else { return [] }
    return [
      PackFinding(
        .warning, "FILES_OUTSIDE_CONTENTS",
        "\(outside.count) files lie outside Contents/, such as \(first.path.escaped); apps cannot reach them.")
    ]
  }
}

/// Something to say about a pack, under a stable code.
package struct PackFinding: Equatable, Sendable {
  package enum Severity: String, Sendable {
    case error, warning
  }

  package let severity: Severity
  /// In UPPER_SNAKE_CASE.
  package let code: String
  package let sentence: String

  package init(_ severity: Severity, _ code: String, _ sentence: String) {
    self.severity = severity
    self.code = code
    self.sentence = sentence
  }
}

extension [PackFinding] {
  package var errors: [PackFinding] { filter { $0.severity == .error } }
  package var warnings: [PackFinding] { filter { $0.severity == .warning } }
}

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
