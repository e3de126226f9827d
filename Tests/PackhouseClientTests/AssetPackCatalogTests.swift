import Testing

@testable import PackhouseClient

@Suite struct AssetPackCatalogTests {
  private func entry(_ changes: String...) -> String {
    var members = [
      "id": #""a""#, "version": "1", "downloadSize": "10", "url": #""https://h/a""#,
      "downloadPolicy": #"{"essential":{"installationEventTypes":["firstInstallation"]}}"#,
    ]
    for change in changes {
      let parts = change.split(separator: "=", maxSplits: 1).map(String.init)
      members[parts[0]] = parts.count > 1 ? parts[1] : nil
    }
    return "{" + members.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
  }

  private func decode(_ entries: String...) throws -> AssetPackCatalog {
    try AssetPackCatalog(manifest: Array("{\"assetPacks\":[\(entries.joined(separator: ","))]}".utf8))
  }

  @Test func everyMemberIsRead() throws {
    let digest = String(repeating: "AB", count: 32)
    let catalog = try decode(
      entry(#"userInfo={"sha256":"\#(digest)","x":[1]}"#, #"language="ja""#),
      entry(
        #"id="b""#,
        #"downloadPolicy={"prefetch":{"installationEventTypes":["subsequentUpdate","firstInstallation"]}}"#))
    let first = try #require(catalog["a"])
    #expect(first.sha256 == digest.lowercased())
    #expect(first.userInfo == #"{"sha256":"\#(digest)","x":[1]}"#)
    #expect(first.language == "ja")
    #expect(first.downloadPolicy == .essential([.firstInstallation]))
    #expect(catalog["b"]?.downloadPolicy == .prefetch([.firstInstallation, .subsequentUpdate]))
    #expect(catalog["c"] == nil)
    #expect(try decode().packs.isEmpty)
  }

  @Test(arguments: [
    ("id=1", "/assetPacks/0/id"), ("id=\"\"", "/assetPacks/0/id"),
    ("id=\"a\\u001b[2J\"", "/assetPacks/0/id"), ("id=\"a\\u202eb\"", "/assetPacks/0/id"),
    ("downloadSize=9223372036854775807", "/assetPacks/0/downloadSize"), ("version=-1", "/assetPacks/0/version"),
    ("version=1.5", "/assetPacks/0/version"), ("downloadSize", "/assetPacks/0/downloadSize"),
    ("downloadSize=99999999999999999999", "/assetPacks/0/downloadSize"),
    ("url=\"http://h/a\"", "/assetPacks/0/url"), ("downloadPolicy={}", "/assetPacks/0/downloadPolicy"),
    ("downloadPolicy={\"onDemand\":{},\"essential\":{}}", "/assetPacks/0/downloadPolicy"),
    ("downloadPolicy={\"essential\":{\"installationEventTypes\":[]}}", "/assetPacks/0/downloadPolicy"),
    ("userInfo={\"sha256\":\"12\"}", "/assetPacks/0/userInfo/sha256"),
  ])
  func aFaultNamesItsPlace(change: String, place: String) {
    let failure = #expect(throws: ManagedBackgroundAssetsError.self) { try decode(entry(change)) }
    #expect(failure?.sentence.contains(place) == true, "\(failure?.sentence ?? "")")
  }

  @Test func anIdThatIsThereTwiceIsRefused() {
    #expect(
      throws: ManagedBackgroundAssetsError.malformedManifest(
        "the pack a is there twice, the second time at /assetPacks/1")
    ) { try decode(entry(), entry()) }
  }

  @Test func whatIsNoManifestIsRefused() {
    for text in ["", "[]", "{}", #"{"assetPacks":{}}"#, "{\"assetPacks\":[1]}"] {
      #expect(throws: ManagedBackgroundAssetsError.self) { try AssetPackCatalog(manifest: Array(text.utf8)) }
    }
  }
}
