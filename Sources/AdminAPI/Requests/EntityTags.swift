/// The value of an `If-Match` or `If-None-Match` field (RFC 9110 section 13.1).
enum EntityTags: Sendable, Equatable {
  /// `*`: whatever is there.
  case any
  /// Strong and weak tags, with their quotes, without `W/`.
  case some(strong: [String], weak: [String])

  /// What cannot be read names no tag.
  init(_ field: String) {
    let blanks: Set<Character> = [" ", "\t"]
    var strong: [String] = []
    var weak: [String] = []
    for piece in field.split(separator: ",") {
      var tag = piece.drop { blanks.contains($0) }
      while let last = tag.last, blanks.contains(last) { tag.removeLast() }
      if tag == "*" {
        self = .any
        return
      }
      let isWeak = tag.hasPrefix("W/")
      if isWeak { tag = tag.dropFirst(2) }
      guard tag.count >= 2, tag.hasPrefix("\""), tag.hasSuffix("\"") else { continue }
      if isWeak { weak.append(String(tag)) } else { strong.append(String(tag)) }
    }
    self = .some(strong: strong, weak: weak)
  }

  /// Strong comparison, for `If-Match`.
  func matchStrongly(_ tag: String) -> Bool {
    switch self {
    case .any: true
    case .some(let strong, _): strong.contains(tag)
    }
  }

  /// Weak comparison, for `If-None-Match`.
  func matchWeakly(_ tag: String) -> Bool {
    switch self {
    case .any: true
    case .some(let strong, let weak): strong.contains(tag) || weak.contains(tag)
    }
  }
}
