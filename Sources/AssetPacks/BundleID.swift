import JSONText
import Values

/// The bundle identifier of an app: 1–155 characters of `A–Z a–z 0–9 . -`, parts between dots not empty, starting
/// with a letter or digit. Compared letter by letter.
package struct BundleID: Hashable, Sendable, Comparable, CustomStringConvertible {
  package let text: String

  /// - Throws: `AssetPackFailure.bundleID` with the rule that `text` breaks.
  package init(_ text: String) throws(AssetPackFailure) {
    guard (1...155).contains(text.utf8.count) else {
      throw .bundleID(text, problem: "it has \(text.utf8.count) bytes, expected 1 to 155")
    }
    let stranger = text.unicodeScalars.first {
      switch $0 {
      case "A"..."Z", "a"..."z", "0"..."9", ".", "-": false
      default: true
      }
    }
    if let stranger {
      throw .bundleID(
        text, problem: "it contains \(quoted(stranger)), expected only letters A–Z, digits, dots and hyphens")
    }
    guard !text.split(separator: ".", omittingEmptySubsequences: false).contains("") else {
      throw .bundleID(text, problem: "a part between dots is empty, expected something like com.example.game")
    }
    guard !text.hasPrefix("-") else {
      throw .bundleID(text, problem: "it starts with \"-\", expected a letter or a digit")
    }
    self.text = text
  }

  package var description: String { text }

  /// By ASCII code.
  package static func < (a: BundleID, b: BundleID) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }
}
