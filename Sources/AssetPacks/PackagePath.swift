import JSONText
import Values

/// A relative path of a selector: parts between slashes, none of them empty, `.` or `..`, no NUL and no backslash.
enum PackagePath {
  /// The path without `./` before it and, for folders, without a slash at its end.
  /// - Returns: the clean path, or nil with the problem.
  static func clean(_ text: String, isFolder: Bool, allowsRoot: Bool = false) -> Result<String, Problem> {
    guard !text.isEmpty else { return .failure(Problem("expected a relative path, found an empty string")) }
    guard text.utf8.count <= 1024 else {
      return .failure(Problem("expected at most 1024 bytes, found \(text.utf8.count)"))
    }
    guard !text.isAbsolutePath else {
      return .failure(Problem("expected a relative path, found the absolute path \(quoted(text))"))
    }
    guard !text.utf8.contains(0), !text.utf8.contains(UInt8(ascii: "\\")) else {
      return .failure(
        Problem("expected a path with / between its parts, found \(quoted(text)) with a backslash or NUL"))
    }
    var parts = text.pathParts
    while parts.count > 1, parts.first == "." { parts.removeFirst() }
    if isFolder, parts.count > 1, parts.last == "" { parts.removeLast() }
    if parts == ["."] {
      return allowsRoot
        ? .success(".")
        : .failure(Problem("expected the path of a file or folder, found \".\"; directorySource takes it"))
    }
    guard !parts.contains(".."), !parts.contains("."), !parts.contains("") else {
      return .failure(Problem("expected a path without \"..\", \".\" and empty parts, found \(quoted(text))"))
    }
    return .success(parts.joined(separator: "/"))
  }

  struct Problem: Error {
    let text: String
    init(_ text: String) { self.text = text }
  }
}

/// Paths are bytes between slashes. A Swift `Character` is more: a slash that a combining mark follows is not a slash,
/// and two names in different Unicode forms are equal texts but different files. So paths are taken apart and compared
/// by bytes.
extension StringProtocol {
  /// The parts between slashes, empty ones too.
  package var pathParts: [String] {
    utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// Whether the path begins with a slash.
  package var isAbsolutePath: Bool { utf8.first == UInt8(ascii: "/") }

  /// What follows `folder` and a slash; nil when the path does not lie below the folder.
  package func path(below folder: String) -> String? {
    guard utf8.starts(with: folder.utf8) else { return nil }
    let rest = utf8.dropFirst(folder.utf8.count)
    guard rest.first == UInt8(ascii: "/") else { return nil }
    return String(decoding: rest.dropFirst(), as: UTF8.self)
  }
}

/// A text that equals another one when their bytes do.
package struct ExactText: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (a: ExactText, b: ExactText) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
