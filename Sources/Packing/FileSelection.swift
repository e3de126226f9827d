import AppleArchive
import AssetPacks
import Glibc
import SystemIO

/// The files of a packaging manifest's selectors while they are looked for. Paths are relative to the root unless said
/// otherwise, and are compared by their bytes.
struct FileSelection {
  private struct Source {
    let path: String
    /// The selector that took it first, counted from 0.
    let selector: Int
  }

  private let tree: SourceTree
  private let hasSourceRoot: Bool
  /// Of the selectors so far.
  private(set) var places: [SelectorPlace] = []
  /// By device path.
  private var sources: [ExactText: Source] = [:]
  /// Source and device paths, sorted by the bytes of the first.
  private var index: [(source: String, devicePath: String)] = []
  /// Device paths.
  private var excluded: Set<ExactText> = []
  /// Every file below a folder, because many patterns may begin at the same one.
  private var walks: [ExactText: [String]] = [:]

  init(root: String, hasSourceRoot: Bool) {
    tree = SourceTree(root: root)
    self.hasSourceRoot = hasSourceRoot
  }

  /// Carries out one selector; the device paths that it took.
  mutating func add(_ selector: FileSelector, _ place: SelectorPlace) throws(PackingFailure) -> [String] {
    places.append(place)
    switch selector {
    case .file(let path): return [try take(file: path, as: path, place)]
    case .fileSource(let path, let destination): return [try take(file: path, as: destination, place)]
    case .directory(let path):
      let found = try files(ofFolder: path, place)
      for file in found { try take(file, as: file, place) }
      return found
    case .directorySource(let path, let destination):
      var devicePaths: [String] = []
      for file in try files(ofFolder: path, place) {
        let rest = path == "." ? file : file.path(below: path) ?? file
        let devicePath = destination == "." ? rest : "\(destination)/\(rest)"
        try take(file, as: devicePath, place)
        devicePaths.append(devicePath)
      }
      return devicePaths
    case .filePattern(let pattern):
      let found = try paths(matching: pattern, place)
      guard !found.isEmpty else { throw nothing(place) }
      for file in found { try take(file, as: file, place) }
      return found
    case .fileExclusion: return []
    }
  }

  /// The plain files whose path matches.
  mutating func paths(matching pattern: GlobPattern, _ place: SelectorPlace?) throws(PackingFailure) -> [String] {
    let start = pattern.literalFolder
    guard tree.isFolder(start) else { return [] }
    return try walk(start, place).filter { pattern.matches($0) }
  }

  /// Everything has been taken; exclusions may follow.
  mutating func endTaking() {
    index = sources.map { ($0.value.path, $0.key.text) }
    index.sort { $0.source.utf8.lexicographicallyPrecedes($1.source.utf8) }
  }

  /// Takes out a file or all below a folder; the device paths that were taken for them.
  mutating func exclude(_ path: String) -> [String] {
    var found: [String] = []
    // What begins with `path/` stands together, but other names may come between it and `path`.
    for start in [path, "\(path)/"] {
      for place in firstPlace(start)..<index.count {
        let (source, devicePath) = index[place]
        guard source.utf8.elementsEqual(path.utf8) || start != path && source.path(below: path) != nil else { break }
        found.append(devicePath)
        excluded.insert(ExactText(devicePath))
      }
    }
    return found
  }

  /// The files that are left, by device path. Each can be read, and all can stand in one archive.
  func files() throws(PackingFailure) -> [PackContents.File] {
    var files: [PackContents.File] = []
    for (devicePath, source) in sources where !excluded.contains(devicePath) {
      let path = tree.full(source.path)
      let place = places[source.selector]
      var status = stat()
      guard stat(path, &status) == 0 else { throw .unreadable(SystemFailure("stat", path), place) }
      guard access(path, R_OK) == 0 else { throw .unreadable(SystemFailure("open", path), place) }
      let stamp = FileStamp(status)
      files.append(
        PackContents.File(
          devicePath: devicePath.text, source: path, size: stamp.size, modified: stamp.modified,
          isExecutable: status.st_mode & 0o111 != 0, stamp: stamp, selector: source.selector))
    }
    // By bytes: the order must not depend on a locale.
    files.sort { $0.devicePath.utf8.lexicographicallyPrecedes($1.devicePath.utf8) }
    var paths = PathTree(limit: ArchiveLimits().entries)
    for file in files { try check(file, &paths) }
    return files
  }

  /// Adds the path that the file gets in the archive to those before it.
  private func check(_ file: PackContents.File, _ paths: inout PathTree) throws(PackingFailure) {
    let place = places[file.selector]
    let path: ArchivePath
    do throws(PathFault) { path = try ArchivePath("\(PackLayout.contents)/\(file.devicePath)") } catch {
      throw .path(file.devicePath, reason: error.clause, place)
    }
    do throws(ArchiveFailure) { try paths.insert(path, .file) } catch {
      guard case .path(_, let fault) = error else { throw .archive(file: place.file, error) }
      throw .path(file.devicePath, reason: fault.clause, place)
    }
  }

  private mutating func walk(_ start: String, _ place: SelectorPlace?) throws(PackingFailure) -> [String] {
    if let known = walks[ExactText(start)] { return known }
    let found = try tree.files(below: start, place)
    walks[ExactText(start)] = found
    return found
  }

  private mutating func files(ofFolder path: String, _ place: SelectorPlace) throws(PackingFailure) -> [String] {
    guard try tree.exists(path, place) else { throw nothing(place) }
    guard tree.isFolder(path) else { throw .wrongKind(place, path: tree.full(path), expected: "a folder") }
    let found = try walk(path, place)
    guard !found.isEmpty else { throw nothing(place) }
    return found
  }

  private mutating func take(
    file path: String, as devicePath: String, _ place: SelectorPlace
  ) throws(PackingFailure) -> String {
    guard try tree.exists(path, place) else { throw nothing(place) }
    try tree.mustBeFile(path, place)
    try take(path, as: devicePath, place)
    return devicePath
  }

  private mutating func take(_ path: String, as devicePath: String, _ place: SelectorPlace) throws(PackingFailure) {
    let key = ExactText(devicePath)
    guard let other = sources[key] else {
      sources[key] = Source(path: path, selector: places.count - 1)
      return
    }
    guard other.path.utf8.elementsEqual(path.utf8) else {
      throw .samePath(
        devicePath, first: tree.full(other.path), places[other.selector], second: tree.full(path), place)
    }
  }

  private func nothing(_ place: SelectorPlace) -> PackingFailure {
    .matchesNothing(place, root: tree.root, hasSourceRoot: hasSourceRoot)
  }

  /// The first place in the index whose source is not before `path`.
  private func firstPlace(_ path: String) -> Int {
    var (low, high) = (0, index.count)
    while low < high {
      let middle = (low + high) / 2
      if index[middle].source.utf8.lexicographicallyPrecedes(path.utf8) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension GlobPattern {
  /// The longest folder that every match lies in, so that nothing else needs to be walked.
  fileprivate var literalFolder: String {
    let folders = text.pathParts.dropLast().prefix { part in
      !part.unicodeScalars.contains { "*?[\\".unicodeScalars.contains($0) }
    }
    return folders.isEmpty ? "." : folders.joined(separator: "/")
  }
}
