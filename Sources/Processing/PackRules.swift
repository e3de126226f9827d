import AppleArchive
import AssetPacks
import JSONText
import PackStore
import Packing

/// What a well-formed archive must be to go out as a version of a pack.
struct PackRules {
  /// The id of the pack that the version belongs to.
  let pack: String

  /// Every rule at once, so that one look at the answer is enough.
  func judge(_ report: PackReport, sha256: String, size: Int64) -> Verdict {
    var errors: [VersionMessage] = []
    var warnings = report.inspection.warnings.filter { !isDecidedHere($0) }.map { warning in
      VersionMessage(.warning, code: warning.code, description: warning.sentence)
    }
    let inspection = report.inspection
    for entry in inspection.entries where entry.type == .link {
      errors.append(
        VersionMessage(
          .error, code: "LINK_NOT_ALLOWED",
          description: "\(entry.path.escaped) is a symbolic link; a pack holds files and folders only."))
    }
    guard let manifest = manifest(report, &errors) else { return .failed(errors) }
    if manifest.assetPackID.text != pack {
      errors.append(
        VersionMessage(
          .error, code: "PACK_ID_MISMATCH",
          description:
            "The archive's manifest is for the pack \(quoted(manifest.assetPackID.text)), but it was uploaded "
            + "as a version of \(quoted(pack))."))
    }
    checkExecutables(inspection, manifest, &errors, &warnings)
    checkLayout(inspection, &warnings)
    for text in manifest.warnings {
      warnings.append(VersionMessage(.warning, code: "PACK_ID_STORE_PROFILE", description: text))
    }
    guard errors.isEmpty else { return .failed(errors + warnings) }
    return .passed(
      ProcessingFacts(
        sha256: sha256, size: size, installSize: report.installSize, platforms: manifest.platforms,
        language: manifest.language, policy: manifest.downloadPolicy, userInfo: manifest.userInfo, messages: warnings))
  }

  /// Links and executables become errors or warnings of their own below.
  private func isDecidedHere(_ warning: ArchiveWarning) -> Bool {
    switch warning {
    case .link, .executable, .noManifest, .severalManifests: true
    default: false
    }
  }

  private func manifest(_ report: PackReport, _ errors: inout [VersionMessage]) -> PackagingManifest? {
    switch report.manifest {
    case .found(let manifest, _): return manifest
    case .missing:
      errors.append(
        VersionMessage(
          .error, code: "MANIFEST_MISSING",
          description:
            "The archive has no Manifest.json at its top level; make it with packhouse pack package or ba-package."))
    case .ambiguous(let paths):
      let names = paths.map(\.escaped).joined(separator: " and ")
      errors.append(
        VersionMessage(
          .error, code: "MANIFEST_AMBIGUOUS",
          description: "The archive has no Manifest.json, and \(names) could each be its packaging manifest; keep one.")
      )
    case .invalid(let path, let failure):
      for fault in failure.manifestFaults.prefix(100) {
        errors.append(
          VersionMessage(.error, code: "MANIFEST_INVALID", description: "\(path.escaped), \(fault.sentence)."))
      }
      if failure.manifestFaults.isEmpty {
        errors.append(
          VersionMessage(.error, code: "MANIFEST_INVALID", description: "\(path.escaped): \(failure.sentence)."))
      }
    }
    return nil
  }

  /// macOS runs what it finds, so a pack for it holds no programs; other platforms do not run them at all.
  private func checkExecutables(
    _ inspection: ArchiveInspection, _ manifest: PackagingManifest, _ errors: inout [VersionMessage],
    _ warnings: inout [VersionMessage]
  ) {
    let isForMac = manifest.effectivePlatforms.contains(.macOS)
    for entry in inspection.entries where entry.isMachOExecutable {
      let what = "\(entry.path.escaped) is a Mach-O executable"
      if isForMac {
        errors.append(
          VersionMessage(
            .error, code: "EXECUTABLE_NOT_ALLOWED",
            description:
              "\(what), which a pack for macOS may not hold; take it out, or name the platforms without macOS."))
      } else {
        warnings.append(
          VersionMessage(.warning, code: "EXECUTABLE_IN_PACK", description: "\(what); no device runs it."))
      }
    }
  }

  /// Devices see what lies below `Contents/` and nothing else.
  private func checkLayout(_ inspection: ArchiveInspection, _ warnings: inout [VersionMessage]) {
    let outside = inspection.entries.filter { entry in
      entry.type == .file && !entry.path.text.hasPrefix("Contents/") && entry.path.text.contains("/")
    }
    if let first = outside.first {
      warnings.append(
        VersionMessage(
          .warning, code: "FILES_OUTSIDE_CONTENTS",
          description:
            "\(outside.count) files lie outside Contents/, such as \(first.path.escaped); apps cannot reach them."))
    }
  }
}
