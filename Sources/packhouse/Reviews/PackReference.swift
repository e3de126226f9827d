import JSONText

/// `PACK` or `PACK@VERSION` on the command line.
struct PackReference: Sendable, Equatable {
  let identifier: String
  /// Nil for the newest complete one.
  let number: Int?

  init(_ text: String) throws(CommandFailure) {
    guard let at = text.lastIndex(of: "@") else {
      identifier = text
      number = nil
      return
    }
    let digits = String(text[text.index(after: at)...])
    guard let value = Int(digits), value > 0 else {
      throw CommandFailure("\(text) must be PACK or PACK@VERSION, with a version above 0.", .usage)
    }
    identifier = String(text[..<at])
    number = value
  }

  /// Whether an item of a submission is meant.
  func matches(_ item: JSONValue) -> Bool {
    let attributes = item["attributes"]
    return attributes?["assetPackIdentifier"]?.string == identifier
      && number.map { attributes?["version"]?.string == String($0) } ?? true
  }
}
