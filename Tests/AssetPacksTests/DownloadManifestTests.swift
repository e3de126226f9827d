import AssetPacks
import JSONText
import Testing

struct DownloadManifestTests {
  private func entry(
    _ id: String, _ version: Int, size: Int = 10, policy: PackDownloadPolicy = .onDemand, userInfo: JSONObject? = nil,
    language: String? = nil
  ) throws -> DownloadManifest.Entry {
    DownloadManifest.Entry(
      id: try AssetPackID(id), version: try VersionNumber(version), downloadSize: size, downloadPolicy: policy,
      language: try language.map { text throws(AssetPackFailure) in try LanguageTag(text) }, userInfo: userInfo)
  }

  private func manifest(_ entries: DownloadManifest.Entry...) throws -> DownloadManifest {
    try DownloadManifest(app: BundleID("com.example.game"), entries: entries)
  }

  @Test func rendersTheWireFormat() throws {
    let manifest = try manifest(
      entry("zebra", 1, language: "pt-br"),
      entry("terrain-na", 3, size: 282_966_632, policy: .prefetch(.both), userInfo: JSONObject([("sha256", "ab/\"")])))
    let expected =
      #"{"assetPacks":[{"downloadPolicy":{"prefetch":{"installationEventTypes":["firstInstallation","subsequentUpdate""#
      + #"]}},"downloadSize":282966632,"host":{"thirdParty":{}},"id":"terrain-na","#
      + #""url":"https://packs.example.com/apps/com.example.game/packs/3/terrain-na","#
      + #""userInfo":{"sha256":"ab/\""},"version":3},"#
      + #"{"downloadPolicy":{"onDemand":{}},"downloadSize":10,"host":{"thirdParty":{}},"id":"zebra","language":"pt-BR""#
      + #","url":"https://packs.example.com/apps/com.example.game/packs/1/zebra","version":1}]}"#
    #expect(
      String(decoding: try manifest.render(baseURL: PublicBaseURL("https://packs.example.com")), as: UTF8.self)
        == expected)
    let received = try ReceivedManifest.parse(Array(expected.utf8))
    #expect(received.entries.map(\.pack) == manifest.entries)
  }

  @Test func theBaseURLIsReplacedWithoutRenderingAgain() throws {
    let template = try manifest(entry("a", 1), entry("b", 2)).template
    let bytes = try template.render(baseURL: PublicBaseURL("https://[::1]:8443/p/"))
    let urls = try ReceivedManifest.parse(bytes).entries.map(\.url)
    #expect(
      urls == [
        "https://[::1]:8443/p/apps/com.example.game/packs/1/a",
        "https://[::1]:8443/p/apps/com.example.game/packs/2/b",
      ])
    let empty = try manifest().render(baseURL: PublicBaseURL("https://a"))
    #expect(String(decoding: empty, as: UTF8.self) == #"{"assetPacks":[]}"#)
  }

  @Test func anIDStandsOnlyOnce() {
    #expect(
      failure { _ = try manifest(entry("a", 1), entry("a", 2)) }
        == "the asset pack \"a\" is listed twice in the manifest; expected each once")
  }

  @Test func receivedFaultsAreReportedAtOnce() {
    let text = """
      {"assetPacks": [
        {"id": "a", "url": "http://x/a", "version": -1, "downloadSize": "5", "downloadPolicy": {"onDemand": {}},
         "host": {}, "platforms": []},
        {"id": "b", "url": "https://x/b", "version": 0, "downloadSize": 5, "downloadPolicy": {"onDemand": {}},
         "host": {"thirdParty": {}}},
        7
      ]}
      """
    let found = failure { _ = try ReceivedManifest.parse(Array(text.utf8)) }.split(separator: "\n").map(String.init)
    #expect(
      found == [
        "line 2, column 15: assetPacks[0].url: expected an absolute https URL, found \"http://x/a\"",
        "line 2, column 36: assetPacks[0].version: expected an integer from 0 to 9007199254740991, found -1",
        "line 2, column 51: assetPacks[0].downloadSize: expected an integer, found a string",
        "line 3, column 4: assetPacks[0].host: expected {\"thirdParty\":{}}, found {}",
        "line 3, column 16: assetPacks[0].platforms: unknown key \"platforms\", known are \"downloadPolicy\", "
          + "\"downloadSize\", \"host\", \"id\", \"language\", \"url\", \"userInfo\", \"version\"",
        "line 6, column 3: assetPacks[2]: expected an object, found an integer",
      ])
  }

  @Test func changesNameWhatDevicesWouldDelete() throws {
    let old = try manifest(entry("a", 3), entry("b", 2), entry("c", 1), entry("d", 1))
    let new = try manifest(entry("a", 2), entry("c", 2), entry("d", 1, size: 11), entry("e", 1))
    let change = ManifestChange(from: old, to: new)
    #expect(change.appearing.map(\.text) == ["e"])
    #expect(change.disappearing.map(\.text) == ["b"])
    #expect(change.updated.map(\.text) == ["c"])
    #expect(!change.becomesEmpty)
    #expect(
      change.faults().map(\.sentence) == [
        "the asset pack \"b\" would disappear from the manifest, and devices would delete it; confirm its removal if "
          + "that is meant",
        "the asset pack \"a\" would fall from version 3 to 2; publish the old bytes under a version above 3",
        "the asset pack \"d\" would change its bytes under version 1, and devices would not notice; publish them under "
          + "a higher version",
      ])
    #expect(change.faults(confirmedRemovals: [try AssetPackID("b")]).count == 2)
    #expect(ManifestChange(from: old, to: try manifest()).becomesEmpty)
    #expect(ManifestChange(from: nil, to: try manifest()).faults().isEmpty)
    #expect(!ManifestChange(from: nil, to: try manifest()).becomesEmpty)
  }
}
