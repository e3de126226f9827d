import Foundation

/// What a Swift file declares at its top level, read as text.
struct Declarations {
  enum Kind: Equatable {
    case type
    case `extension`
    /// A function, a constant, a variable or another name for a type.
    case other
  }

  struct Declaration: Equatable {
    let kind: Kind
    /// Of an extension, the first part of what it extends: `A` for `A.B`.
    let name: String
    /// Also of an extension all of whose members are private.
    var isPrivate: Bool
    /// Counted from 0.
    let line: Int
    /// How many lines it has, its attributes and comments left out.
    var length: Int
  }

  private(set) var all: [Declaration] = []

  private static let types: Set = ["struct", "class", "enum", "protocol", "actor"]
  private static let others: Set = ["func", "let", "var", "typealias"]
  private static let modifiers: Set = [
    "public", "package", "internal", "private", "fileprivate", "final", "indirect", "nonisolated",
    "nonisolated(unsafe)",
    "prefix", "postfix", "infix",
  ]

  init(_ file: ProjectTree.File) {
    var depth = 0
    var isOpen = false
    var hasMembers = false
    for (index, line) in file.code.enumerated() {
      if depth == 1, isOpen, let last = all.indices.last,
        let isPrivate = Self.isPrivate(member: line)
      {
        all[last].isPrivate = isPrivate && (all[last].isPrivate || !hasMembers)
        hasMembers = true
      }
      if depth == 0, let found = Self.declaration(line, index) {
        all.append(found)
        // What is said of all members holds whatever each says.
        isOpen = found.kind == .extension && !found.isPrivate
        hasMembers = false
      } else if !all.isEmpty, !line.trimmingCharacters(in: .whitespaces).isEmpty, depth > 0 || line.hasPrefix("}") {
        all[all.count - 1].length += 1
      }
      for character in line {
        if "{([".contains(character) { depth += 1 }
        if "})]".contains(character) { depth -= 1 }
      }
    }
  }

  /// The types that other files can see.
  var visibleTypes: [Declaration] { all.filter { $0.kind == .type && !$0.isPrivate } }

  /// Whether a line that begins a member of an extension says that it is private; nil for other lines.
  private static func isPrivate(member line: String) -> Bool? {
    let words = line.split { $0 == " " || $0 == "(" || $0 == ":" || $0 == "{" || $0 == "<" }.map { String($0) }
    let front = words.prefix {
      modifiers.contains($0) || $0.hasPrefix("@") || ["static", "mutating", "override"].contains($0)
    }
    guard front.count < words.count else { return nil }
    let word = words[front.count]
    guard types.contains(word) || others.contains(word) || ["init", "subscript", "case"].contains(word) else {
      return nil
    }
    return front.contains("private") || front.contains("fileprivate")
  }

  private static func declaration(_ line: String, _ index: Int) -> Declaration? {
    guard let first = line.first, first.isLetter || first == "@" else { return nil }
    let words = line.split { $0 == " " || $0 == "(" || $0 == ":" || $0 == "<" || $0 == "{" || $0 == "=" || $0 == "," }
      .map { String($0) }
    var place = 0
    var isPrivate = false
    while place < words.count,
      words[place].hasPrefix("@") || words[place].hasSuffix(")") || modifiers.contains(words[place])
    {
      isPrivate = isPrivate || words[place] == "private" || words[place] == "fileprivate"
      place += 1
    }
    guard place + 1 < words.count else { return nil }
    let name = words[place + 1]
    if types.contains(words[place]) {
      return Declaration(kind: .type, name: name, isPrivate: isPrivate, line: index, length: 1)
    }
    if words[place] == "extension" {
      let first = name.split(separator: ".").first.map { String($0) } ?? name
      return Declaration(kind: .extension, name: first, isPrivate: isPrivate, line: index, length: 1)
    }
    guard others.contains(words[place]) else { return nil }
    return Declaration(kind: .other, name: name, isPrivate: isPrivate, line: index, length: 1)
  }
}
