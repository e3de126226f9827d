import AppleArchive
import AssetPacks
import JSONText
import SystemIO

/// The files that a packaging manifest selects, with the paths that they get on a device.
package struct PackContents: Sendable {
  /// One file of the pack.
  package struct File: Sendable, Equatable {
    /// The path on a device, without `Contents/`.
    package let devicePath: String
    /// Where the file is now.
    package let source: String
    /// Length in bytes.
    package let size: Int64
    /// Seconds since 1970.
    package let modified: Int64
    /// Whether any of its execute bits is set.
    package let isExecutable: Bool
    /// How the file was when it was selected, to notice changes.
    let stamp: FileStamp
    /// Which selector took it, counted from 0.
    let selector: Int
  }

  /// What one selector came to.
  package struct Match: Sendable {
    package let selector: FileSelector
    let place: SelectorPlace
    /// Where it stands in the manifest, from 1.
    package var line: Int { place.line }
    /// The paths on a device that it took, sorted; those that it took out for an exclusion.
    package let devicePaths: [String]
  }

  /// By device path.
  package let files: [File]
  /// In the order of the manifest.
  package let matches: [Match]

  /// Carries out the selectors of `manifest`, which stands or will stand at `path`. Relative roots start at its folder
  /// when it has a `sourceRoot`, and at the working directory otherwise. `document` gives the lines for messages.
  package init(
    _ manifest: PackagingManifest, path: String, document: JSONDocument
  ) throws(PackingFailure) {
    let root = try Self.root(manifest, folder: Folder.parent(of: path))
    var selection = FileSelection(root: root, hasSourceRoot: manifest.sourceRoot != nil)
    var taken: [[String]] = []
    for (index, selector) in manifest.fileSelectors.enumerated() {
      let line = document.nearestPosition(to: JSONPath([.key("fileSelectors"), .index(index)])).line
      taken.append(try selection.add(selector, SelectorPlace(file: path, line: line, selector: selector.json.text())))
    }
    selection.endTaking()
    for (index, selector) in manifest.fileSelectors.enumerated() {
      if case .fileExclusion(let path) = selector { taken[index] = selection.exclude(path) }
    }
    matches = manifest.fileSelectors.indices.map { index in
      Match(
        selector: manifest.fileSelectors[index], place: selection.places[index],
        devicePaths: taken[index].sortedByBytes())
    }
    files = try selection.files()
  }

  /// The selector that took `file`.
  func place(of file: File) -> SelectorPlace { matches[file.selector].place }

  /// The plain files below `root` whose path relative to it matches, by path.
  package static func paths(matching pattern: GlobPattern, below root: String) throws(PackingFailure) -> [String] {
    var selection = FileSelection(root: root, hasSourceRoot: true)
    return try selection.paths(matching: pattern, nil).sortedByBytes()
  }

  private static func root(_ manifest: PackagingManifest, folder: String) throws(PackingFailure) -> String {
    guard let sourceRoot = manifest.sourceRoot else { return "." }
    let root = sourceRoot == "." ? folder : folder == "." ? sourceRoot : "\(folder)/\(sourceRoot)"
    guard let status = try? FileStatus.of(root), status.isFolder else { throw .sourceRoot(root) }
    return root
  }
}

extension [String] {
  /// Sorted by bytes: the order must not depend on a locale.
  func sortedByBytes() -> [String] { sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
}

extension PackContents {
  /// The files that are programs of macOS: Mach-O executables, of one architecture or universal.
  func programs() throws(PackingFailure) -> [File] {
    var programs: [File] = []
    for file in files where file.size >= 4 {
      do throws(SystemFailure) {
        if try Self.isProgram(ArchiveFile(file.source)) { programs.append(file) }
      } catch { throw .unreadable(error, place(of: file)) }
    }
    return programs
  }

  private static func isProgram(_ file: ArchiveFile) throws(SystemFailure) -> Bool {
    let head = UnsafeMutableRawBufferPointer.allocate(byteCount: 4, alignment: 4)
    defer { head.deallocate() }
    guard try file.read(at: 0, into: head) == 4, MachODetector.isMark(UnsafeRawBufferPointer(head)) else {
      return false
    }
    var detector = MachODetector()
    try file.forEachPiece { bytes in
      detector.update(bytes)
      return true
    }
    return detector.kind == .executable
  }
}
