import Foundation

/// Swift source, line by line, without what is not code. It knows comments to the end of the line and string literals
/// without nested quotes, which is what the project uses.
enum SwiftText {
  /// The lines with comments and the contents of string literals taken out.
  static func code(of lines: [String]) -> [String] {
    var isInLongString = false
    return lines.map { line in
      let pieces = line.piecesBetweenLongQuotes
      var result = ""
      for (index, piece) in pieces.enumerated() {
        if index > 0 { isInLongString.toggle() }
        if !isInLongString {
          let (code, endsInComment) = stripped(piece)
          result += code
          if endsInComment { break }
        }
      }
      return result
    }
  }

  /// The module that a line of code imports; nil when it imports none.
  static func importedModule(_ code: String) -> String? {
    let words = code.split(whereSeparator: { $0 == " " || $0 == "\t" }).map { String($0) }
    guard let place = words.firstIndex(of: "import"), place + 1 < words.count,
      words[..<place].allSatisfy({ $0.hasPrefix("@") || accessLevels.contains($0) })
    else { return nil }
    let kinds: Set = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
    let name = kinds.contains(words[place + 1]) && place + 2 < words.count ? words[place + 2] : words[place + 1]
    return name.split(separator: ".").first.map { String($0) }
  }

  /// Whether `word` stands in the code and is not the end of a longer name.
  static func contains(_ word: String, in code: String) -> Bool {
    var rest = Substring(code)
    while let found = rest.range(of: word) {
      let before = code[..<found.lowerBound].last
      let isLonger = before.map { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." } ?? false
      if !isLonger || !(word.first?.isLetter ?? false) { return true }
      rest = rest[found.upperBound...]
    }
    return false
  }

  private static let accessLevels: Set = ["public", "package", "internal", "fileprivate", "private"]

  private static func stripped(_ text: String) -> (code: String, endsInComment: Bool) {
    var code = ""
    var isInString = false
    var previous: Character = " "
    for character in text {
      if isInString {
        if character == "\"", previous != "\\" {
          isInString = false
          code.append(character)
        }
        // Two backslashes are one, and escape nothing.
        previous = previous == "\\" && character == "\\" ? " " : character
        continue
      }
      if character == "/", previous == "/" { return (String(code.dropLast()), true) }
      if character == "\"" { isInString = true }
      code.append(character)
      previous = character
    }
    return (code, false)
  }
}

extension String {
  /// The pieces between `"""`.
  fileprivate var piecesBetweenLongQuotes: [String] {
    var pieces: [String] = []
    var rest = Substring(self)
    while let found = rest.range(of: "\"\"\"") {
      pieces.append(String(rest[..<found.lowerBound]))
      rest = rest[found.upperBound...]
    }
    return pieces + [String(rest)]
  }
}
