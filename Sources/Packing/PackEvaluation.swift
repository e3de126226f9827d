import AssetPacks
import JSONText
import Values

/// A packaging manifest carried out without packing: what each selector took, and what is to be said about it.
package struct PackEvaluation: Sendable {
  package let manifest: PackagingManifest
  package let contents: PackContents
  private let path: String
  private let programs: [PackContents.File]

  /// Reads the manifest at `path` and looks at the files that it selects.
  package init(_ path: String) throws(PackingFailure) {
    let (manifest, document) = try PackBuilder.read(path)
    self.path = path
    self.manifest = manifest
    contents = try PackContents(manifest, path: path, document: document)
    programs = try contents.programs()
  }

  /// Bytes of all files.
  package var contentBytes: Int64 { contents.files.reduce(0) { $0 + $1.size } }

  /// What keeps the pack from being made, as errors; the id under `profile`, selectors without effect, and paths that
  /// other packs have too, as warnings. A pack with the same id is another version of this one, and is not compared.
  package func findings(profile: PackIDProfile, against others: [DevicePaths] = []) -> [PackFinding] {
    var findings: [PackFinding] = []
    if let complaint = profile.complaint(about: manifest.assetPackID) {
      findings.append(PackFinding(.warning, "PACK_ID_STORE_PROFILE", "\(path): \(complaint)."))
    }
    for match in contents.matches where match.devicePaths.isEmpty {
      findings.append(
        PackFinding(
          .warning, "EXCLUSION_WITHOUT_EFFECT",
          "\(path): line \(match.line): \(match.selector.json.text()) takes out nothing; correct it or take it out."))
    }
    for program in programs {
      let failure = PackingFailure.executable(path: program.source, contents.place(of: program))
      findings.append(
        manifest.effectivePlatforms.contains(.macOS)
          ? PackFinding(.error, "EXECUTABLE_NOT_ALLOWED", failure.sentence)
          : PackFinding(
            .warning, "EXECUTABLE_IN_PACK",
            "\(path): \(escaped(program.source)) is a Mach-O executable; no device runs it."))
    }
    if contents.files.isEmpty {
      findings.append(PackFinding(.warning, "PACK_IS_EMPTY", "\(path): the exclusions take out every file."))
    }
    let paths = contents.files.map(\.devicePath)
    for other in others {
      if other.assetPackID == manifest.assetPackID {
        findings.append(
          PackFinding(
            .warning, "SAME_PACK", "\(other.source) has the same assetPackID, so its paths were not compared."))
        continue
      }
      findings += other.collisions(with: paths).map { PackFinding(.warning, "PATH_COLLISION", "\(path): \($0)") }
    }
    return findings
  }

  /// For people: each selector with what it took, then every file.
  package var text: String {
    var lines = ["Asset pack     \(manifest.assetPackID.text)", "Policy         \(manifest.downloadPolicy.name)"]
    let platforms = manifest.platforms.map(\.rawValue).joined(separator: ", ")
    lines.append("Platforms      \(platforms.isEmpty ? "all" : platforms)")
    if let language = manifest.language { lines.append("Language       \(language.text)") }
    lines.append("Content        \(contents.files.count) files, \(contentBytes) bytes")
    lines.append("")
    for match in contents.matches {
      let isExclusion = if case .fileExclusion = match.selector { true } else { false }
      lines.append(
        "line \(match.line)  \(escaped(match.selector.json.text())) \(isExclusion ? "takes out" : "takes") "
          + (match.devicePaths.count == 1 ? "1 file" : "\(match.devicePaths.count) files"))
    }
    lines.append("")
    for file in contents.files {
      let size = "\(file.size)"
      let padding = String(repeating: " ", count: max(1, 12 - size.count))
      lines.append(
        "\(padding)\(size)  \(escaped(file.devicePath))  <- \(escaped(file.source))"
          + (file.isExecutable ? "  (executable)" : ""))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// For programs; paths are as they are.
  package var json: JSONObject {
    JSONObject([
      ("assetPackID", .string(manifest.assetPackID.text)), ("downloadPolicy", manifest.downloadPolicy.json),
      ("platforms", .array(manifest.platforms.map { .string($0.rawValue) })),
      ("language", .optional(manifest.language?.text)),
      (
        "selectors",
        .array(
          contents.matches.map { match in
            [
              "selector": match.selector.json, "line": .integer(match.line),
              "devicePaths": .array(match.devicePaths.map { .string($0) }),
            ]
          })
      ),
      (
        "files",
        .array(
          contents.files.map { file in
            [
              "path": .string(file.devicePath), "source": .string(file.source), "size": .integer(file.size),
              "executable": .bool(file.isExecutable),
            ]
          })
      ),
      ("totals", ["files": .integer(contents.files.count), "contentSize": .integer(contentBytes)]),
    ])
  }
}
