import AssetPacks
import Glibc
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
    /// Whether somebody may execute it.
    package let isExecutable: Bool
  }

  /// What one selector came to.
  package struct Match: Sendable {
    package let selector: FileSelector
    /// Where it stands in the manifest, from 1.
    package let line: Int
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
    var selection = Selection(root: root)
    var lines: [Int] = []
    var taken: [[String]] = []
    for (index, selector) in manifest.fileSelectors.enumerated() {
      lines.append(document.nearestPosition(to: JSONPath([.key("fileSelectors"), .index(index)])).line)
      selection.place = "\(path): line \(lines[index])"
      taken.append(try selection.add(selector))
    }
    for (index, selector) in manifest.fileSelectors.enumerated() {
      if case .fileExclusion(let path) = selector { taken[index] = selection.exclude(path) }
    }
    matches = manifest.fileSelectors.indices.map { index in
      Match(selector: manifest.fileSelectors[index], line: lines[index], devicePaths: taken[index].sortedByBytes())
    }
    files = try selection.files()
  }

  /// The plain files below `root` whose path relative to it matches, by path.
  package static func paths(matching pattern: GlobPattern, below root: String) throws(PackingFailure) -> [String] {
    try Selection(root: root).paths(matching: pattern).sortedByBytes()
  }

  private static func root(_ manifest: PackagingManifest, folder: String) throws(PackingFailure) -> String {
    guard let sourceRoot = manifest.sourceRoot else { return "." }
    let root = sourceRoot == "." ? folder : folder == "." ? sourceRoot : "\(folder)/\(sourceRoot)"
    guard let status = try? FileStatus.of(root), status.isFolder else { throw .sourceRoot(root) }
    return root
  }
}

/// The selection while it is made. Paths are relative to the root unless said otherwise.
private struct Selection {
  let root: String
  /// Where the selector in hand stands, for messages.
  var place = ""
  /// Source path by device path.
  private var sources: [String: String] = [:]
  private var excluded: [String] = []

  init(root: String) { self.root = root }

  /// Carries out one selector; the device paths that it took.
  mutating func add(_ selector: FileSelector) throws(PackingFailure) -> [String] {
    let name = selector.json.text()
    switch selector {
    case .file(let path):
      try mustBeFile(path, name)
      try take(path, as: path)
      return [path]
    case .fileSource(let path, let destination):
      try mustBeFile(path, name)
      try take(path, as: destination)
      return [destination]
    case .directory(let path):
      return try takeFolder(path, below: path, name)
    case .directorySource(let path, let destination):
      return try takeFolder(path, below: destination == "." ? "" : destination, name)
    case .filePattern(let pattern):
      let matches = try paths(matching: pattern)
      guard !matches.isEmpty else { throw .matchesNothing(selector: name, place: place, root: root) }
      for path in matches { try take(path, as: path) }
      return matches
    case .fileExclusion: return []
    }
  }

  func paths(matching pattern: GlobPattern) throws(PackingFailure) -> [String] {
    let start = pattern.literalFolder
    return exists(start) ? try walk(start).filter { pattern.matches($0) } : []
  }

  /// Takes out a file or all below a folder; the device paths that were taken for them.
  mutating func exclude(_ path: String) -> [String] {
    excluded.append(path)
    return sources.filter { $0.value == path || $0.value.hasPrefix("\(path)/") }.map(\.key)
  }

  /// The files that are left, by device path.
  func files() throws(PackingFailure) -> [PackContents.File] {
    var files: [PackContents.File] = []
    for (devicePath, source) in sources where !isExcluded(source) {
      let path = full(source)
      var status = stat()
      guard stat(path, &status) == 0 else { throw .system(SystemFailure("stat", path)) }
      files.append(
        PackContents.File(
          devicePath: devicePath, source: path, size: Int64(status.st_size), modified: Int64(status.st_mtim.tv_sec),
          isExecutable: status.st_mode & 0o111 != 0))
    }
    // By bytes: the order must not depend on a locale.
    return files.sorted { $0.devicePath.utf8.lexicographicallyPrecedes($1.devicePath.utf8) }
  }

  private func isExcluded(_ path: String) -> Bool { excluded.contains { path == $0 || path.hasPrefix("\($0)/") } }

  private mutating func take(_ source: String, as devicePath: String) throws(PackingFailure) {
    if let other = sources[devicePath], other != source {
      throw .samePath(devicePath, first: full(other), second: full(source))
    }
    sources[devicePath] = source
  }

  private mutating func takeFolder(
    _ path: String, below destination: String, _ name: String
  ) throws(PackingFailure) -> [String] {
    guard exists(path) else { throw .matchesNothing(selector: name, place: place, root: root) }
    guard let status = try? FileStatus.of(full(path)), status.isFolder else {
      throw .wrongKind(selector: name, place: place, path: full(path), expected: "a folder")
    }
    let found = try walk(path)
    guard !found.isEmpty else { throw .matchesNothing(selector: name, place: place, root: root) }
    var devicePaths: [String] = []
    for source in found {
      let rest = path == "." ? source : String(source.dropFirst(path.count + 1))
      let devicePath = destination.isEmpty ? rest : "\(destination)/\(rest)"
      try take(source, as: devicePath)
      devicePaths.append(devicePath)
    }
    return devicePaths
  }

  private func mustBeFile(_ path: String, _ name: String) throws(PackingFailure) {
    guard exists(path) else { throw .matchesNothing(selector: name, place: place, root: root) }
    guard !isSymbolicLink(full(path)) else { throw .notPlain(path: full(path), place: place) }
    guard let status = try? FileStatus.of(full(path)), status.isRegularFile else {
      throw .wrongKind(selector: name, place: place, path: full(path), expected: "a file")
    }
  }

  /// Every plain file below the folder, by name. Folders are left on a list instead of a call stack, whose depth
  /// a tree could choose.
  private func walk(_ start: String) throws(PackingFailure) -> [String] {
    var found: [String] = []
    var folders = [start]
    while let folder = folders.popLast() {
      let names: [String]
      do throws(SystemFailure) { names = try Folder.names(full(folder)).sorted() } catch { throw .system(error) }
      for name in names {
        let path = folder == "." ? name : "\(folder)/\(name)"
        guard !isSymbolicLink(full(path)) else { throw .notPlain(path: full(path), place: place) }
        let status: FileStatus?
        do throws(SystemFailure) { status = try FileStatus.of(full(path)) } catch { throw .system(error) }
        if status?.isFolder == true {
          folders.append(path)
        } else if status?.isRegularFile == true {
          found.append(path)
        } else {
          throw .notPlain(path: full(path), place: place)
        }
      }
    }
    return found
  }

  private func exists(_ path: String) -> Bool {
    if isSymbolicLink(full(path)) { return true }
    guard let status = try? FileStatus.of(full(path)) else { return false }
    return status.isFolder || status.isRegularFile
  }

  private func full(_ path: String) -> String {
    if path == "." { return root }
    return root == "." ? path : "\(root)/\(path)"
  }
}

extension GlobPattern {
  /// The longest folder that every match lies in, so that nothing else needs to be walked.
  fileprivate var literalFolder: String {
    let folders = text.split(separator: "/").dropLast().prefix { !$0.contains { "*?[\\".contains($0) } }
    return folders.isEmpty ? "." : folders.joined(separator: "/")
  }
}

extension [String] {
  /// Sorted by bytes: the order must not depend on a locale.
  func sortedByBytes() -> [String] { sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
}
