import AssetPacks
import Foundation
import JSONText
import Testing

@testable import Packing

@Suite struct StaticManifestTests {
  private let folder: PackFolder
  private var manifest: StaticManifest

  init() throws {
    folder = try PackFolder()
    manifest = StaticManifest(
      app: try BundleID("com.example.game"), baseURL: try PublicBaseURL("https://packs.example.com"))
    try pack("one", "1111")
    try pack("two", "2222", platforms: #"["macOS"]"#)
  }

  private func pack(_ id: String, _ content: String, platforms: String = "[]", more: String = "") throws {
    try folder.write("\(id)/a.txt", content)
    try folder.manifest(
      "\(id).json", id: id, selectors: #"[{"directory":"\#(id)"}]"#, platforms: platforms, more: more)
    try folder.pack("\(id).json", "\(id).aar")
  }

  private func packs(_ ids: String...) throws -> [StaticPack] { try StaticPack.read(ids.map { folder["\($0).aar"] }) }

  private func received(_ result: StaticManifest.Result) throws -> ReceivedManifest {
    try ReceivedManifest.parse(result.bytes)
  }

  private func entry(_ url: String, version: Int) -> String {
    #"{"downloadPolicy":{"onDemand":{}},"downloadSize":1,"host":{"thirdParty":{}},"id":"one","#
      + #""url":"\#(url)","version":\#(version)}"#
  }

  private func changes(_ result: StaticManifest.Result) -> [String] {
    result.rows.map { "\($0.id) \($0.version) \($0.change.rawValue)" }
  }

  @Test func theFirstManifestHasTheDaemonsForm() throws {
    let pack = try packs("one")[0]
    let result = try manifest.create([pack])
    #expect(
      String(decoding: result.bytes, as: UTF8.self)
        == #"{"assetPacks":[{"downloadPolicy":{"onDemand":{}},"downloadSize":\#(pack.length),"host":{"thirdParty":{}},"#
        + #""id":"one","url":"https://packs.example.com/apps/com.example.game/packs/1/one","#
        + #""userInfo":{"sha256":"\#(pack.sha256)"},"version":1}]}"#)
    #expect(changes(result) == ["one 1 new"])
  }

  @Test func aPlatformsManifestListsItsPacksOnly() throws {
    var manifest = self.manifest
    manifest.platform = .iOS
    let result = try manifest.create(try packs("one", "two"))
    #expect(try received(result).entries.map(\.pack.id.text) == ["one"])
    #expect(result.warnings == ["\(folder["two.aar"]) is not for iOS, so the manifest cannot list it."])
    #expect(
      PackFolder.sentence { _ = try manifest.create(try packs("two")) }
        == "The manifest would list no pack, and devices would delete all of theirs.")
  }

  @Test func versionsRiseWhenBytesChangeAndOnlyThen() throws {
    let first = try received(try manifest.create(try packs("one", "two")))
    try pack("one", "9999")
    let second = try manifest.update(first, try packs("one", "two"))
    #expect(changes(second) == ["one 2 updated", "two 1 unchanged"])
    #expect(second.rows[0].url.hasSuffix("/packs/2/one") && second.rows[0].previous == .first)
    let third = try manifest.update(try received(second), try packs("one", "two"))
    #expect(changes(third) == ["one 2 unchanged", "two 1 unchanged"])
    #expect(third.bytes == second.bytes)
  }

  @Test func withoutAHashOnlyTheLengthTells() throws {
    var manifest = self.manifest
    manifest.recordsHash = false
    let first = try received(try manifest.create(try packs("one")))
    #expect(first.entries[0].pack.userInfo == nil)
    let second = try manifest.update(first, try packs("one"))
    #expect(changes(second) == ["one 1 unchanged"])
    #expect(
      second.warnings == [
        "\(folder["one.aar"]) has the length of version 1 of \"one\", whose hash the old manifest does not keep; it is "
          + "taken for the same bytes."
      ])
    try pack("one", "a longer content than before, which does not compress to the same length 0123456789")
    #expect(changes(try manifest.update(first, try packs("one"))) == ["one 2 updated"])
  }

  @Test func noPackDisappearsUnasked() throws {
    let first = try received(try self.manifest.create(try packs("one", "two")))
    #expect(
      PackFolder.sentence { _ = try self.manifest.update(first, try packs("one")) }
        == "The asset pack \"two\" would disappear from the manifest, and devices would delete it; confirm its removal "
        + "if that is meant (--confirm-removal), or pass --keep-others.")
    var manifest = self.manifest
    manifest.keepsOthers = true
    #expect(changes(try manifest.update(first, try packs("one"))) == ["one 1 unchanged", "two 1 kept"])
    manifest.keepsOthers = false
    manifest.confirmedRemovals = [try AssetPackID("two")]
    let removed = try manifest.update(first, try packs("one"))
    #expect(changes(removed) == ["one 1 unchanged", "two 1 removed"])
    #expect(try received(removed).entries.count == 1)
    #expect(
      PackFolder.sentence { _ = try manifest.update(first, try packs("one", "two")) }
        == "The removal of \"two\" is confirmed, but \(folder["two.aar"]) is that pack.")
    manifest.confirmedRemovals = [try AssetPackID("three"), try AssetPackID("two")]
    #expect(
      PackFolder.sentence { _ = try manifest.update(first, try packs("one")) }
        == "The old manifest has no asset pack \"three\" to be removed.")
  }

  @Test func aPackThatLeavesThePlatformIsExplained() throws {
    let first = try received(try self.manifest.create(try packs("one", "two")))
    var manifest = self.manifest
    manifest.platform = .iOS
    let sentence = PackFolder.sentence { _ = try manifest.update(first, try packs("one", "two")) }
    #expect(sentence.hasPrefix("\(folder["two.aar"]) is not for iOS, so the manifest cannot list it.\nThe asset pack"))
  }

  @Test func anOldManifestTellsTheAppAndTheBase() throws {
    let old = try received(try manifest.create(try packs("one")))
    let found = try #require(StaticManifest(of: old))
    #expect(found.app == manifest.app && found.baseURL == manifest.baseURL)
    let foreign =
      #"{"assetPacks":[\#(entry("https://a.example/one", version: 1))]}"#
    #expect(StaticManifest(of: try ReceivedManifest.parse(Array(foreign.utf8))) == nil)
  }

  @Test func newPacksMayStartHigher() throws {
    var manifest = self.manifest
    manifest.firstVersion = try VersionNumber(7)
    let first = try received(try self.manifest.create(try packs("one")))
    #expect(changes(try manifest.update(first, try packs("one", "two"))) == ["one 1 unchanged", "two 7 new"])
  }

  @Test func aKeyOfThePacksOwnIsNotReplaced() throws {
    try pack("one", "1", more: #","userInfo":{"sha256":"mine"}"#)
    #expect(PackFolder.sentence { _ = try self.manifest.create(try packs("one")) }.contains("or pass --no-sha256"))
    var manifest = self.manifest
    manifest.recordsHash = false
    let first = try received(try manifest.create(try packs("one")))
    #expect(changes(try manifest.update(first, try packs("one"))) == ["one 1 unchanged"])
    #expect(StaticManifestCheck(first, try packs("one")).differences == [])
  }

  @Test func archivesThatMayNotGoOutAreRefused() throws {
    var archive = RawArchive()
    archive.file("Contents/a", [1])
    try folder.write("bare.aar", archive.bytes)
    #expect(
      PackFolder.sentence { _ = try packs("bare") }.hasPrefix("\(folder["bare.aar"]): The archive has no Manifest.json")
    )
    try FileManager.default.copyItem(atPath: folder["one.aar"], toPath: folder["copy.aar"])
    #expect(
      PackFolder.sentence { _ = try packs("one", "copy") }
        == "\(folder["one.aar"]) and \(folder["copy.aar"]) are both the asset pack \"one\"; name one of them.")
  }

  @Test func everyDifferenceIsFound() throws {
    let both = try packs("one", "two")
    let first = try received(try manifest.create(both))
    #expect(StaticManifestCheck(first, both).differences == [])
    try pack("one", "a longer content than before, and another one", more: #","language":"de","userInfo":{"n":1}"#)
    try pack("three", "3")
    let found = StaticManifestCheck(first, try packs("one", "three")).differences
    #expect(found.count == 6, "\(found)")
    #expect(found[0].hasPrefix("The downloadSize of \"one\" is "))
    #expect(found[1].hasPrefix("The userInfo.sha256 of \"one\" is "))
    #expect(found[2] == "The language of \"one\" is none in the manifest, but de in \(folder["one.aar"]).")
    #expect(found[3] == "The userInfo of \"one\" is {} in the manifest, but {\"n\":1} in \(folder["one.aar"]).")
    #expect(found[4] == "The manifest lists \"two\", but no archive of that pack was given.")
    #expect(found[5] == "\(folder["three.aar"]) is the pack \"three\", which the manifest does not list.")
    #expect(
      StaticManifestCheck(first, both, platform: .iOS).differences
        == ["The manifest lists \"two\", but \(folder["two.aar"]) is not for iOS."])
  }

  @Test(arguments: [
    (
      #""https://packs.example.com/apps/com.example.game/packs/1/one""#,
      #""https://packs.example.com/apps/com.example.game/packs/1/two""#,
      [
        #"The url of "one" ends with packs/1/two, but packs/1/one is expected."#,
        #"The url of "two" is that of "one" too, https://packs.example.com/apps/com.example.game/packs/1/two; "#
          + "each pack has its own.",
      ]
    ),
    (
      #"packs/1/two","#, #"packs/3/two","#,
      [#"The url of "two" ends with packs/3/two, but packs/1/two is expected."#]
    ),
    (#"packs/1/two","#, #"elsewhere/two.aar","#, []),
  ])
  func linksThatDoNotFitTheirEntryAreFound(_ old: String, _ new: String, _ expected: [String]) throws {
    let both = try packs("one", "two")
    let text = String(decoding: try manifest.create(both).bytes, as: UTF8.self)
    let changed = try ReceivedManifest.parse(Array(text.replacingOccurrences(of: old, with: new).utf8))
    #expect(StaticManifestCheck(changed, both).differences == expected)
  }

  @Test func aHashThatIsNoneIsADifference() throws {
    let one = try packs("one")
    let text = String(decoding: try manifest.create(one).bytes, as: UTF8.self)
    let changed = try ReceivedManifest.parse(Array(text.replacingOccurrences(of: one[0].sha256, with: "zz").utf8))
    #expect(
      StaticManifestCheck(changed, one).differences
        == ["The userInfo.sha256 of \"one\" is \"zz\" in the manifest, but \(one[0].sha256) in \(folder["one.aar"])."])
  }

  @Test func faultsOfTheManifestsFormNameTheirLine() throws {
    try folder.write(
      "m.json",
      """
      {"assetPacks":[
      \(entry("http://a.b/1", version: 1)),
      \(entry("https://a.b/1", version: 1)),
      \(entry("https://a.b/1", version: 2))
      ]}
      """)
    let lines = PackFolder.sentence { _ = try StaticManifestCheck.read(folder["m.json"]) }.split(separator: "\n")
    #expect(lines.count == 2, "\(lines)")
    #expect(lines[0].hasPrefix("\(folder["m.json"]): line 2, column ") && lines[0].contains("absolute https URL"))
  }
}
