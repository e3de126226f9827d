import Values

/// Which rule of pack paths a path breaks.
package enum PathFault: Error, Equatable, Sendable {
  case empty, absolute, parentComponent, currentComponent, emptyComponent, trailingSlash, zeroByte, notUTF8
  case tooLong(bytes: Int, limit: Int)
  case componentTooLong(bytes: Int, limit: Int)
  case tooDeep(depth: Int, limit: Int)
  case duplicate
  /// Another path equals it on a volume that ignores case and Unicode normalisation.
  case collision(with: String)
  case parentIsFile(String)
  case parentIsLink(String)
  /// It stood as a folder in an earlier path.
  case isParentAlready

  /// The fault as the end of a sentence.
  package var clause: String {
    switch self {
    case .empty: "it is empty, which only the root directory's path may be"
    case .absolute: "it starts with a slash; paths are relative to the pack's root"
    case .parentComponent: "it has a component `..`, which could leave the pack"
    case .currentComponent: "it has a component `.`"
    case .emptyComponent: "it has two slashes in a row"
    case .trailingSlash: "it ends with a slash"
    case .zeroByte: "it has a zero byte"
    case .notUTF8: "it is not UTF-8 text"
    case .tooLong(let bytes, let limit): "it has \(bytes) bytes, more than \(limit)"
    case .componentTooLong(let bytes, let limit): "one of its components has \(bytes) bytes, more than \(limit)"
    case .tooDeep(let depth, let limit): "it has \(depth) components, more than \(limit)"
    case .duplicate: "the archive has it twice"
    case .collision(let other): "it is the same as \(other) on a volume that ignores case, as Apple's do"
    case .parentIsFile(let parent): "\(parent), an earlier file, is used as a folder"
    case .parentIsLink(let parent): "\(parent), a symbolic link, is used as a folder"
    case .isParentAlready: "earlier paths use it as a folder, and it is not one"
    }
  }
}

/// Which rule of symbolic links a link's target breaks.
package enum LinkFault: Error, Equatable, Sendable {
  case empty, absolute, leavesPack, parentAfterName, zeroByte, notUTF8
  case tooLong(bytes: Int, limit: Int)

  /// The fault as the end of a sentence.
  package var clause: String {
    switch self {
    case .empty: "its target is empty"
    case .absolute: "its target is an absolute path"
    case .leavesPack: "its target lies outside the pack"
    case .parentAfterName:
      "its target goes up again after a name, which other links could turn into a way out of the pack"
    case .zeroByte: "its target has a zero byte"
    case .notUTF8: "its target is not UTF-8 text"
    case .tooLong(let bytes, let limit): "its target has \(bytes) bytes, more than \(limit)"
    }
  }
}

/// What looks wrong in a path that breaks no rule.
package enum PathSuspicion: Sendable, Equatable, CaseIterable {
  case controlCharacter, textDirection, backslash, driveLetter, appleDouble, finderSettings, zipResources

  /// The suspicion as the end of a sentence that begins with the path.
  package var clause: String {
    switch self {
    case .controlCharacter: "has control characters"
    case .textDirection: "has characters that turn the direction of text, so that it looks like another"
    case .backslash: "has a backslash, which separates folders on Windows"
    case .driveLetter: "begins like a drive of Windows"
    case .appleDouble: "is an AppleDouble file (._…), left by a copy from macOS"
    case .finderSettings: "holds settings of the Finder (.DS_Store), not content"
    case .zipResources: "lies in __MACOSX, left by a ZIP archive from macOS"
    }
  }

  /// Everything that looks wrong in `path`.
  static func all(in path: ArchivePath) -> [PathSuspicion] {
    var found: [PathSuspicion] = []
    var hasControl = false
    var hasDirection = false
    var hasBackslash = false
    for scalar in path.text.unicodeScalars {
      guard scalar == "\\" || isInvisible(scalar) else { continue }
      switch scalar.value {
      case 0x5c: hasBackslash = true
      case 0...0x9f, 0x2028, 0x2029, 0xfeff: hasControl = true
      default: hasDirection = true
      }
    }
    if hasControl { found.append(.controlCharacter) }
    if hasDirection { found.append(.textDirection) }
    if hasBackslash { found.append(.backslash) }
    let head = Array(path.text.utf8.prefix(2))
    if head.count == 2, head[1] == UInt8(ascii: ":"), (0x61...0x7a).contains(head[0] | 0x20) {
      found.append(.driveLetter)
    }
    let components = path.text.utf8.split(separator: UInt8(ascii: "/"))
    if components.contains(where: { $0.starts(with: "._".utf8) }) { found.append(.appleDouble) }
    if components.contains(where: { $0.elementsEqual(".DS_Store".utf8) }) { found.append(.finderSettings) }
    if components.contains(where: { $0.elementsEqual("__MACOSX".utf8) }) { found.append(.zipResources) }
    return found
  }
}
