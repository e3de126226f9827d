import JSONText

/// A pattern for relative paths: `*` and `?` do not cross `/`, `**` does, `**/` also stands for no folder at all,
/// `[a-z]` and `[!a-z]` are one character other than `/`, and `\` takes the next character literally.
///
/// Matching follows all possibilities at once, so its time is at most the path's length times the pattern's.
package struct GlobPattern: Equatable, Sendable {
  enum Token: Equatable, Sendable {
    case literal(Unicode.Scalar)
    case anyScalar
    case star
    case doubleStar
    /// `**/` at the beginning of a part: any number of whole folders.
    case folders
    case oneOf([ClosedRange<Unicode.Scalar>], isNegated: Bool)
  }

  /// The pattern as it was written.
  package let text: String
  let tokens: [Token]

  /// - Throws: `AssetPackFailure.globPattern` for an empty, absolute or overlong pattern, a part `..`, and broken
  /// classes.
  package init(_ text: String) throws(AssetPackFailure) {
    guard !text.isEmpty, text.utf8.count <= 1024 else {
      throw .globPattern(text, problem: "expected 1 to 1024 bytes, found \(text.utf8.count)")
    }
    guard !text.isAbsolutePath else {
      throw .globPattern(text, problem: "expected a relative pattern, found one that begins with /")
    }
    guard !text.pathParts.contains(where: { ["", ".", ".."].contains($0) }) else {
      throw .globPattern(text, problem: "expected no empty parts, \".\" and \"..\" between slashes")
    }
    self.text = text
    tokens = try GlobParser.tokens(of: text)
  }

  /// Whether the whole of `path` matches.
  package func matches(_ path: String) -> Bool {
    var states = [Bool](repeating: false, count: tokens.count + 1)
    var next = states
    enter(0, in: &states)
    for scalar in path.unicodeScalars {
      for place in next.indices { next[place] = false }
      for (place, token) in tokens.enumerated() where states[place] {
        switch token {
        case .literal(let expected): if scalar == expected { enter(place + 1, in: &next) }
        case .anyScalar: if scalar != "/" { enter(place + 1, in: &next) }
        case .star: if scalar != "/" { enter(place, in: &next) }
        case .doubleStar: enter(place, in: &next)
        case .folders:
          // Inside a folder's name the match cannot continue: only its slash leads to the rest.
          next[place] = true
          if scalar == "/" { enter(place + 1, in: &next) }
        case .oneOf(let ranges, let isNegated):
          if scalar != "/", ranges.contains(where: { $0.contains(scalar) }) != isNegated { enter(place + 1, in: &next) }
        }
      }
      swap(&states, &next)
    }
    return states[tokens.count]
  }

  /// Marks a state and those that are reached from it without a character.
  private func enter(_ place: Int, in states: inout [Bool]) {
    var place = place
    while true {
      states[place] = true
      guard place < tokens.count else { return }
      switch tokens[place] {
      case .star, .doubleStar, .folders: place += 1
      default: return
      }
    }
  }
}

/// Parses a pattern.
private enum GlobParser {
  static func tokens(of text: String) throws(AssetPackFailure) -> [GlobPattern.Token] {
    let scalars = Array(text.unicodeScalars)
    var tokens: [GlobPattern.Token] = []
    var index = 0
    while index < scalars.count {
      let scalar = scalars[index]
      switch scalar {
      case "*":
        let start = index
        while index < scalars.count, scalars[index] == "*" { index += 1 }
        let beginsPart = start == 0 || scalars[start - 1] == "/"
        if index - start == 1 {
          tokens.append(.star)
        } else if beginsPart, index < scalars.count, scalars[index] == "/" {
          tokens.append(.folders)
          index += 1
        } else {
          tokens.append(.doubleStar)
        }
        continue
      case "?": tokens.append(.anyScalar)
      case "[":
        tokens.append(try characterClass(scalars, &index, text))
        continue
      case "\\":
        index += 1
        guard index < scalars.count else {
          throw .globPattern(text, problem: "expected a character after the backslash, found the end")
        }
        tokens.append(.literal(scalars[index]))
      default: tokens.append(.literal(scalar))
      }
      index += 1
    }
    return tokens
  }

  private static func characterClass(
    _ scalars: [Unicode.Scalar], _ index: inout Int, _ text: String
  ) throws(AssetPackFailure) -> GlobPattern.Token {
    let open = AssetPackFailure.globPattern(text, problem: "expected a ] that closes the [")
    index += 1
    var isNegated = false
    if index < scalars.count, scalars[index] == "!" || scalars[index] == "^" {
      isNegated = true
      index += 1
    }
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    let start = index
    while index < scalars.count {
      // A ] in the first place is one of the characters.
      if scalars[index] == "]", index > start {
        index += 1
        return .oneOf(ranges, isNegated: isNegated)
      }
      let lower = scalars[index]
      guard index + 2 < scalars.count, scalars[index + 1] == "-", scalars[index + 2] != "]" else {
        ranges.append(lower...lower)
        index += 1
        continue
      }
      let upper = scalars[index + 2]
      guard lower <= upper else {
        throw .globPattern(text, problem: "expected a range that rises, found \(lower)-\(upper)")
      }
      ranges.append(lower...upper)
      index += 3
    }
    throw open
  }
}
