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
    case .appleDouble: "is an AppleDouble file (._…), left behind by a copy from macOS"
    case .finderSettings: "holds settings of the Finder (.DS_Store), not content"
    case .zipResources: "lies in __MACOSX, left behind by a ZIP archive from macOS"
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
