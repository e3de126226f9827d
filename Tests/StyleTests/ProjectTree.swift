import Foundation

/// The project's own files, found from where this one stands.
enum ProjectTree {
  /// One text file.
  struct File: Sendable {
    /// Relative to the root: `Sources/TLS/ClientTLS.swift`.
    let path: String
    /// Without line ends.
    let lines: [String]
    /// Of Swift, the lines without comments and the contents of texts; otherwise empty.
    let code: [String]

    init(path: String, lines: [String]) {
      self.path = path
      self.lines = lines
      code = path.hasSuffix(".swift") ? SwiftText.code(of: lines) : []
    }

    /// `path:line`, counted from 1, for a place in `lines`.
    func place(_ index: Int) -> String { "\(path):\(index + 1)" }
  }

  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static let folders = ["Sources", "Tests", "bench", "docs", "config", "systemd", "Examples", ".ci"]

  /// Every text file of the project: the folders above and what stands at the top level. Files that are not UTF-8
  /// are left out.
  static func files() throws -> [File] { try all.get() }

  /// Read once for all tests.
  private static let all = Result { try read() }

  private static func read() throws -> [File] {
    let manager = FileManager.default
    var paths = try manager.contentsOfDirectory(atPath: root.path).filter { $0 != ".git" && isFile($0) }
    for folder in folders {
      guard let walk = manager.enumerator(atPath: root.appendingPathComponent(folder).path) else { continue }
      for case let name as String in walk where isFile("\(folder)/\(name)") { paths.append("\(folder)/\(name)") }
    }
    return paths.sorted().filter { !$0.hasSuffix(".swp") && !$0.hasSuffix(".DS_Store") }.compactMap { file($0) }
  }

  /// The Swift files whose path begins with one of `prefixes`.
  static func swiftFiles(_ prefixes: String...) throws -> [File] {
    try files().filter { file in file.path.hasSuffix(".swift") && prefixes.contains { file.path.hasPrefix($0) } }
  }

  /// Whether there is a file or folder at the path, which is relative to the root.
  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
  }

  /// One file by its path; nil when it is not there or not UTF-8.
  static func file(_ path: String) -> File? {
    guard let data = FileManager.default.contents(atPath: root.appendingPathComponent(path).path),
      let text = String(data: data, encoding: .utf8)
    else { return nil }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    if lines.last == "" { lines.removeLast() }
    return File(path: path, lines: lines)
  }

  private static func isFile(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(
      atPath: root.appendingPathComponent(path).path, isDirectory: &isFolder)
    return exists && !isFolder.boolValue
  }
}
