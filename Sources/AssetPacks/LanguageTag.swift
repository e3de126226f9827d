import JSONText
import Values

/// A language as packs name it: the subset of BCP 47 (RFC 5646) with language, optional script and optional region.
/// Kept in the recommended letter case, so that equal tags are equal texts: `zh-Hant-TW`.
package struct LanguageTag: Hashable, Sendable, CustomStringConvertible {
  package let text: String

  /// - Throws: `AssetPackFailure.languageTag` with what is wrong.
  package init(_ text: String) throws(AssetPackFailure) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Array($0.utf8) }
    guard let language = parts.first, (2...3).contains(language.count), Self.areLetters(language)
    else {
      let hint = text.contains("_") ? "; write - instead of _" : ""
      throw .languageTag(text, problem: "expected a language of two or three letters first, as in en or pt-BR" + hint)
    }
    var rest = parts.dropFirst()
    var canonical = text.prefix(language.count).lowercased()
    if let script = rest.first, script.count == 4, Self.areLetters(script) {
      let name = String(decoding: script, as: UTF8.self)
      canonical += "-" + name.prefix(1).uppercased() + name.dropFirst().lowercased()
      rest = rest.dropFirst()
    }
    if let region = rest.first {
      let isCode = region.count == 2 && Self.areLetters(region)
      let isNumber = region.count == 3 && region.allSatisfy { (0x30...0x39).contains($0) }
      if isCode || isNumber {
        canonical += "-" + String(decoding: region, as: UTF8.self).uppercased()
        rest = rest.dropFirst()
      }
    }
    if let stranger = rest.first {
      throw .languageTag(
        text,
        problem: "\(quoted(String(decoding: stranger, as: UTF8.self))) is neither a script nor a region; "
          + "variants and extensions are not supported")
    }
    self.text = canonical
  }

  package var description: String { text }

  private static func areLetters(_ bytes: [UInt8]) -> Bool {
    bytes.allSatisfy { (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }
  }
}
