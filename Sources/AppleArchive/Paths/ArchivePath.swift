import Values

/// A path inside a pack that passed the rules for paths; empty for the root. As a link's target it may start with `..`.
package struct ArchivePath: Sendable, Hashable {
  /// The text exactly as the archive has it (not normalised), components separated by `/`.
  package let text: String

  /// For text that passed the rules.
  init(checked text: String) {
    self.text = text
  }

  /// Checks `bytes` as an entry's path: bytes first, then text. The empty path passes (it is the root).
  init(_ bytes: UnsafeRawBufferPointer, _ limits: ArchiveLimits) throws(PathFault) {
    guard bytes.count <= limits.pathBytes else { throw .tooLong(bytes: bytes.count, limit: limits.pathBytes) }
    guard !bytes.contains(0) else { throw .zeroByte }
    if let first = bytes.first, first == UInt8(ascii: "/") { throw .absolute }
    if !bytes.isEmpty { try Self.checkComponents(bytes, limits) }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
    self.text = text
  }

  /// Checks `text` as an entry's path.
  package init(_ text: String, _ limits: ArchiveLimits = ArchiveLimits()) throws(PathFault) {
    let bytes = Array(text.utf8)
    let result = bytes.withUnsafeBytes { raw in Result { () throws(PathFault) in try ArchivePath(raw, limits) } }
    self = try result.get()
  }

  /// The path for people: control and direction characters escaped, at most 300 characters.
  package var escaped: String {
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBytes { escapedPath($0) }
  }

  /// The same in its whole length, for lists of paths.
  package var wholeEscaped: String {
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBytes { escapedPath($0, limit: .max) }
  }

  /// Whether this is the root itself.
  package var isRoot: Bool { text.isEmpty }

  private static func checkComponents(_ bytes: UnsafeRawBufferPointer, _ limits: ArchiveLimits) throws(PathFault) {
    var depth = 0
    var start = 0
    for end in 0...bytes.count where end == bytes.count || bytes[end] == UInt8(ascii: "/") {
      let length = end - start
      guard length > 0 else { throw end == bytes.count ? .trailingSlash : .emptyComponent }
      guard length <= limits.componentBytes else {
        throw .componentTooLong(bytes: length, limit: limits.componentBytes)
      }
      if bytes[start] == UInt8(ascii: ".") {
        if length == 1 { throw .currentComponent }
        if length == 2, bytes[start + 1] == UInt8(ascii: ".") { throw .parentComponent }
      }
      depth += 1
      start = end + 1
    }
    guard depth <= limits.pathDepth else { throw .tooDeep(depth: depth, limit: limits.pathDepth) }
  }
}

extension ArchivePath {
  /// Checks `bytes` as the target of the symbolic link at `link`: relative, and inside the pack wherever the archive's
  /// other links point. `..` is accepted at the front only: each link then stays inside by itself, whatever it passes
  /// through.
  static func linkTarget(
    _ bytes: UnsafeRawBufferPointer, of link: ArchivePath, _ limits: ArchiveLimits
  ) throws(LinkFault) -> ArchivePath {
    guard !bytes.isEmpty else { throw .empty }
    guard bytes.count <= limits.pathBytes else { throw .tooLong(bytes: bytes.count, limit: limits.pathBytes) }
    guard !bytes.contains(0) else { throw .zeroByte }
    guard bytes.first != UInt8(ascii: "/") else { throw .absolute }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
    var depth = link.text.utf8.reduce(0) { $1 == UInt8(ascii: "/") ? $0 + 1 : $0 }
    var hasName = false
    for component in text.utf8.split(separator: UInt8(ascii: "/")) {
      if component.elementsEqual(".".utf8) { continue }
      if component.elementsEqual("..".utf8) {
        guard !hasName else { throw .parentAfterName }
        depth -= 1
        guard depth >= 0 else { throw .leavesPack }
      } else {
        hasName = true
      }
    }
    return ArchivePath(checked: text)
  }
}

/// `bytes` of a path, made harmless for terminals, logs and pages: what is not UTF-8 as `\u{fffd}`, control and text
/// direction characters as `\u{202e}`, a backslash as `\\`. Longer paths end in `…` after `limit` characters.
package func escapedPath(_ bytes: UnsafeRawBufferPointer, limit: Int = 300) -> String {
  var escaped = ""
  var count = 0
  var decoder = UTF8.ForwardParser()
  var iterator = bytes.makeIterator()
  while true {
    guard count < limit else { return escaped + "…" }
    count += 1
    switch decoder.parseScalar(from: &iterator) {
    case .valid(let encoded):
      let scalar = UTF8.decode(encoded)
      if scalar == "\\" {
        escaped += "\\\\"
      } else {
        appendEscaped(scalar, to: &escaped)
      }
    case .error:
      escaped += "\\u{fffd}"
    case .emptyInput:
      return escaped.isEmpty ? "(root)" : escaped
    }
  }
}
