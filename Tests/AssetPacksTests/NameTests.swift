import AssetPacks
import Testing

/// The sentence of a domain failure that `body` throws.
func failure(_ body: () throws -> Void) -> String {
  do {
    try body()
    return "(no failure)"
  } catch let failure as AssetPackFailure {
    return failure.sentence
  } catch {
    return "\(error)"
  }
}

struct NameTests {
  @Test(arguments: ["a", "terrain-na", "0", "_x", "A.b_c-1", String(repeating: "x", count: 128)])
  func assetPackIDsAreOneSegment(_ text: String) throws {
    #expect(try AssetPackID(text).text == text)
  }

  @Test(arguments: [
    ("", "\"\" is not an asset pack ID: it is empty, expected 1 to 128 characters"),
    (".a", "\".a\" is not an asset pack ID: it starts with \".\", expected a letter, a digit or _"),
    ("-a", "\"-a\" is not an asset pack ID: it starts with \"-\", expected a letter, a digit or _"),
    ("..", "\"..\" is not an asset pack ID: it starts with \".\", expected a letter, a digit or _"),
    ("a/b", "\"a/b\" is not an asset pack ID: it contains \"/\", expected only letters A–Z, digits and . _ -"),
    ("né", "\"né\" is not an asset pack ID: it contains \"é\", expected only letters A–Z, digits and . _ -"),
    (
      "a\u{0}",
      "\"a\\u{0}\" is not an asset pack ID: it contains \"\\u{0}\", expected only letters A–Z, digits and . _ -"
    ),
  ])
  func otherIDsAreRefused(_ text: String, _ sentence: String) {
    #expect(failure { _ = try AssetPackID(text) } == sentence)
  }

  @Test func overlongIDIsRefused() {
    let text = String(repeating: "x", count: 129)
    #expect(failure { _ = try AssetPackID(text) }.hasSuffix("it has 129 bytes, expected at most 128"))
  }

  @Test func storeProfileWarnsOfDotsAndUnderscores() throws {
    #expect(try AssetPackID("terrain-na").isAcceptedByAppStore)
    #expect(try AssetPackID("terrain-na").storeProfileWarning == nil)
    #expect(
      try AssetPackID("terrain_na.1").storeProfileWarning
        == "the asset pack ID \"terrain_na.1\" works here, but App Store Connect accepts only letters, digits and "
        + "hyphens; use \"terrain-na-1\" if the pack may move to Apple hosting")
  }

  @Test(arguments: [
    ("", "\"\" is not a bundle ID: it has 0 bytes, expected 1 to 155"),
    ("com..x", "\"com..x\" is not a bundle ID: a part between dots is empty, expected something like com.example.game"),
    ("..", "\"..\" is not a bundle ID: a part between dots is empty, expected something like com.example.game"),
    (
      "com.a_b",
      "\"com.a_b\" is not a bundle ID: it contains \"_\", expected only letters A–Z, digits, dots and hyphens"
    ),
    ("-com", "\"-com\" is not a bundle ID: it starts with \"-\", expected a letter or a digit"),
  ])
  func bundleIDs(_ text: String, _ sentence: String) throws {
    #expect(failure { _ = try BundleID(text) } == sentence)
    #expect(try BundleID("com.example.Game-2").text == "com.example.Game-2")
  }

  @Test func versionNumbersArePositiveAndRise() throws {
    #expect(try VersionNumber(text: "12").next().value == 13)
    #expect(try VersionNumber(1) < VersionNumber(2))
    for text in ["0", "-1", "+1", "01", "", "1.0", "9007199254740992", "99999999999999999999", "１"] {
      #expect(
        failure { _ = try VersionNumber(text: text) }
          == "\"\(text)\" is not a version number: expected an integer from 1 to 9007199254740991")
    }
    #expect(throws: AssetPackFailure.self) { try VersionNumber(VersionNumber.maximum).next() }
    #expect(try VersionNumber(onWire: 0).value == 0)
  }

  @Test(arguments: [
    ("en", "en"), ("EN-us", "en-US"), ("zh-hant-tw", "zh-Hant-TW"), ("es-419", "es-419"), ("ast", "ast"),
    ("sr-LATN", "sr-Latn"),
  ])
  func languageTagsAreCanonical(_ text: String, _ canonical: String) throws {
    #expect(try LanguageTag(text).text == canonical)
  }

  @Test(arguments: ["", "e", "en_US", "en-", "en-US-x", "english", "en-1", "de-1996", "en-Latn-US-x", "中文"])
  func otherLanguageTagsAreRefused(_ text: String) {
    #expect(failure { _ = try LanguageTag(text) }.hasPrefix("\"\(text)\" is not a language tag: "))
  }

  @Test func languageTagFailuresSayWhy() {
    #expect(
      failure { _ = try LanguageTag("en_US") } == "\"en_US\" is not a language tag: expected a language of two or "
        + "three letters first, as in en or pt-BR; write - instead of _")
    #expect(
      failure { _ = try LanguageTag("de-1996") } == "\"de-1996\" is not a language tag: \"1996\" is neither a script "
        + "nor a region; variants and extensions are not supported")
  }
}
