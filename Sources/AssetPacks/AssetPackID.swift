import Values

/// The name of an asset pack: 1–128 characters of `A–Z a–z 0–9 . _ -`, not starting with `.` or `-`, so that it is one
/// segment of a URL and of a file path without escaping.
package struct AssetPackID: Hashable, Sendable, Comparable, CustomStringConvertible {
  package let text: String

  /// - Throws: `AssetPackFailure.assetPackID` with the rule that `text` breaks.
  package init(_ text: String) throws(AssetPackFailure) {
    guard !text.isEmpty else { throw .assetPackID(text, problem: "it is empty, expected 1 to 128 characters") }
    guard text.utf8.count <= 128 else {
      throw .assetPackID(text, problem: "it has \(text.utf8.count) bytes, expected at most 128")
    }
    if let stranger = text.unicodeScalars.first(where: { !Self.isAllowed($0) }) {
      throw .assetPackID(
        text, problem: "it contains \(quoted(stranger)), expected only letters A–Z, digits and . _ -")
    }
    guard !text.hasPrefix("."), !text.hasPrefix("-") else {
      throw .assetPackID(text, problem: "it starts with \"\(text.prefix(1))\", expected a letter, a digit or _")
    }
    self.text = text
  }

  /// Whether App Store Connect would take the name: letters, digits and hyphens only.
  package var isAcceptedByAppStore: Bool { text.utf8.allSatisfy { $0 != UInt8(ascii: ".") && $0 != UInt8(ascii: "_") } }

  /// A warning for people who may move to Apple hosting; nil when App Store Connect would take the name.
  package var storeProfileWarning: String? {
    guard !isAcceptedByAppStore else { return nil }
    let proposal = String(text.map { $0 == "." || $0 == "_" ? "-" : $0 })
    return
      "the asset pack ID \"\(text)\" works here, but App Store Connect accepts only letters, digits and hyphens; "
      + "use \"\(proposal)\" if the pack may move to Apple hosting"
  }

  package var description: String { text }

  /// By ASCII code.
  package static func < (a: AssetPackID, b: AssetPackID) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "A"..."Z", "a"..."z", "0"..."9", ".", "_", "-": true
    default: false
    }
  }
}

/// The rules that a pack's id is checked against.
package enum PackIDProfile: String, CaseIterable, Sendable {
  /// Packhouse's own, which every id that can be read meets.
  case selfHosted = "self-hosted"
  /// App Store Connect's: letters, digits and hyphens.
  case appStore = "app-store"

  /// What is wrong with the id under this profile; nil when nothing is.
  package func complaint(about id: AssetPackID) -> String? {
    switch self {
    case .selfHosted: nil
    case .appStore: id.storeProfileWarning
    }
  }
}
