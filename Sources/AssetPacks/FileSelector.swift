import JSONText
import Values

/// Which files a pack takes, and where they go in it.
package enum FileSelector: Equatable, Sendable {
  /// One file, kept at its path.
  case file(String)
  /// Everything below a folder, the folder's own path staying in front.
  case directory(String)
  /// Every file whose path matches, kept at its path.
  case filePattern(GlobPattern)
  /// One file, stored at another path.
  case fileSource(String, destination: String)
  /// Everything below a folder (`.` for the root), stored below another one (`.` for the pack's root).
  case directorySource(String, destination: String)
  /// Removes from the others' selection the file at the path, or everything below it.
  case fileExclusion(String)

  /// The selector as written in the manifest.
  package var json: JSONValue {
    switch self {
    case .file(let path): ["file": .string(path)]
    case .directory(let path): ["directory": .string(path)]
    case .filePattern(let pattern): ["filePattern": .string(pattern.text)]
    case .fileSource(let source, let destination):
      ["fileSource": .string(source), "fileDestination": .string(destination)]
    case .directorySource(let source, let destination):
      ["directorySource": .string(source), "directoryDestination": .string(destination)]
    case .fileExclusion(let path): ["fileExclusion": .string(path)]
    }
  }

  static let keys = [
    "file", "directory", "filePattern", "fileSource", "fileDestination", "directorySource", "directoryDestination",
    "fileExclusion",
  ]

  /// The keys that make a selector, one or two each.
  static let shapes = [
    ["file"], ["directory"], ["filePattern"], ["fileSource", "fileDestination"],
    ["directorySource", "directoryDestination"], ["fileExclusion"],
  ]
}

extension ManifestReading {
  /// Reads one selector and notes what is wrong with it; nil when anything is.
  mutating func fileSelector(_ cursor: JSONCursor) -> FileSelector? {
    let before = faults.count
    guard let object = object(cursor, allowing: FileSelector.keys) else { return nil }
    guard faults.count == before else { return nil }
    guard let shape = FileSelector.shapes.first(where: { Set($0) == Set(object.keys) }) else {
      note(cursor.path, shapeProblem(object.keys))
      return nil
    }
    let members = shape.compactMap { object.present($0) }
    guard let first = members.first else { return nil }
    switch shape[0] {
    case "file": return path(first).map { .file($0) }
    case "directory": return path(first, isFolder: true).map { .directory($0) }
    case "filePattern":
      return value(first) { text throws(AssetPackFailure) in try GlobPattern(text) }.map { .filePattern($0) }
    case "fileExclusion": return path(first, isFolder: true).map { .fileExclusion($0) }
    case "fileSource":
      guard let source = path(first), let last = members.last, let destination = path(last) else { return nil }
      return .fileSource(source, destination: destination)
    default:
      guard let source = path(first, isFolder: true, allowsRoot: true), let last = members.last,
        let destination = path(last, isFolder: true, allowsRoot: true)
      else { return nil }
      return .directorySource(source, destination: destination)
    }
  }

  /// A selector's path in clean form.
  mutating func path(_ cursor: JSONCursor, isFolder: Bool = false, allowsRoot: Bool = false) -> String? {
    guard let text = string(cursor) else { return nil }
    switch PackagePath.clean(text, isFolder: isFolder, allowsRoot: allowsRoot) {
    case .success(let path): return path
    case .failure(let problem):
      note(cursor.path, problem.text)
      return nil
    }
  }

  private func shapeProblem(_ keys: [String]) -> String {
    if let half = FileSelector.shapes.first(where: { $0.count == 2 && keys.count == 1 && $0.contains(keys[0]) }),
      let other = half.first(where: { $0 != keys[0] })
    {
      return "expected \(quoted(other)) beside \(quoted(keys[0])), found it alone"
    }
    let shapes = FileSelector.shapes.map { $0.map(quoted).joined(separator: " with ") }.joined(separator: ", ")
    let found = keys.isEmpty ? "no key" : keys.map(quoted).joined(separator: " and ")
    return "expected one selector (\(shapes)), found \(found)"
  }
}
