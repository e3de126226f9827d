import AppleArchive
import AssetPacks
import JSONText
import SystemIO
import Values

/// The paths that a pack puts into the tree that all packs of an app share on a device, where letter case and Unicode
/// form do not count.
package struct DevicePaths: Sendable {
  /// Where they come from, for messages.
  package let source: String
  package let assetPackID: AssetPackID?
  /// The path as written by its folded form; canonically equivalent strings are equal keys.
  private var files: [String: String] = [:]
  /// The folders that lead to them, with one of the files below each.
  private var folders: [String: String] = [:]

  package init(source: String, assetPackID: AssetPackID?, paths: some Sequence<String>) {
    self.source = source
    self.assetPackID = assetPackID
    for path in paths {
      let folded = Self.fold(path)
      files[folded] = path
      var folder = Substring(folded)
      while let slash = folder.utf8.lastIndex(of: UInt8(ascii: "/")) {
        folder = folder[..<slash]
        if folders[String(folder)] != nil { break }
        folders[String(folder)] = path
      }
    }
  }

  /// Reads an archive, or the packaging manifest of a pack when the name ends with `.json`.
  package static func read(_ path: String) throws(PackingFailure) -> DevicePaths {
    if path.hasSuffix(".json") {
      let evaluation = try PackEvaluation(path)
      return DevicePaths(
        source: path, assetPackID: evaluation.manifest.assetPackID, paths: evaluation.contents.files.map(\.devicePath))
    }
    let report = try PackReport.read(path)
    return DevicePaths(
      source: path, assetPackID: report.packagingManifest?.assetPackID,
      paths: report.inspection.entries.compactMap(\.devicePath))
  }

  /// What of `paths` collides with these, as sentences.
  func collisions(with paths: [String]) -> [String] {
    paths.compactMap { path in
      let folded = Self.fold(path)
      let name = quoted(path)
      if let other = files[folded] {
        let spelling = other.utf8.elementsEqual(path.utf8) ? "" : " as \(quoted(other))"
        return "\(name) is in \(source) too\(spelling), and which of them a device keeps is undefined."
      }
      if let other = folders[folded] {
        return "\(name) is a file, but a folder in \(source), which has \(quoted(other))."
      }
      var folder = Substring(folded)
      while let slash = folder.utf8.lastIndex(of: UInt8(ascii: "/")) {
        folder = folder[..<slash]
        if let other = files[String(folder)] {
          return "\(name) lies in a folder that is a file in \(source), \(quoted(other))."
        }
      }
      return nil
    }
  }

  /// Upper-casing first makes ß equal to SS.
  private static func fold(_ path: String) -> String { path.uppercased().lowercased() }
}

extension PackReport {
  /// Reads the archive at `path`.
  package static func read(
    _ path: String, limits: ArchiveLimits = ArchiveLimits()
  ) throws(PackingFailure) -> PackReport {
    let file = try onDisk(try ArchiveFile(path))
    do throws(ArchiveFailure) { return try PackReport(file, limits: limits) } catch {
      throw .archive(file: path, error)
    }
  }
}
