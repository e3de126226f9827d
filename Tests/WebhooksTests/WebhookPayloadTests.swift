import JSONText
import PackStore
import Testing

@testable import Webhooks

@Suite struct WebhookPayloadTests {
  private func source(_ action: String, track: String? = nil, after: String? = nil) -> WebhookSource {
    WebhookSource(
      record: AuditRecord(
        number: 7, at: 1_800_000_000, actor: Actor(name: "ci"), action: action, appID: "A", subject: "p 2",
        before: "IN_REVIEW", after: after, reason: nil),
      bundleID: "com.example.game", packs: [.init(packID: "P", versionID: "V")], releaseID: track == nil ? nil : "R",
      track: track)
  }

  @Test func linesOfTheAuditLogAreTheEventsThatTheyMean() {
    let cases: [(WebhookSource, [WebhookEventType])] = [
      (source("version.move", after: "COMPLETE"), [.versionStateUpdated]),
      (source("version.create"), []),
      (source("release.create", track: "internal"), [.internalReleaseCreated]),
      (source("release.create", track: "production"), []),
      (source("release.move", track: "beta", after: "IN_REVIEW"), [.externalReleaseStateUpdated]),
      (source("release.move", track: "production", after: "REJECTED"), [.appStoreReleaseStateUpdated]),
      (
        source("release.move", track: "production", after: "SUPERSEDED"),
        [.appStoreReleaseStateUpdated, .releaseSuperseded]
      ),
      (source("release.move", track: "internal", after: "SUPERSEDED"), [.releaseSuperseded]),
      (source("pack.archive"), [.packArchived]), (source("pack.restore"), [.packRestored]),
      (source("quota.threshold"), [.quotaThresholdReached]), (source("state.stuck"), [.stateStuck]),
      (source("rollout.change"), [.rolloutChanged]), (source("token.create"), []), (source("webhook.ping"), []),
    ]
    for (source, events) in cases { #expect(WebhookPayload.events(of: source) == events, "\(source.record.action)") }
  }

  @Test func aRolloutOfSeveralPacksNamesThemAll() throws {
    let record = source("rollout.change").record
    let several = WebhookSource(
      record: record, bundleID: "com.example.game",
      packs: [.init(packID: "P", versionID: "V"), .init(packID: "Q", versionID: "W")], releaseID: nil, track: "beta")
    let root = try JSONParser.parse(WebhookPayload.body(.rolloutChanged, id: "D", source: several)).root
    let relationships = root["data"]?["relationships"]
    func ids(_ name: String) -> [String]? { relationships?[name]?["data"]?.array?.compactMap { $0["id"]?.string } }
    #expect(ids("backgroundAssets") == ["P", "Q"])
    #expect(ids("backgroundAssetVersions") == ["V", "W"])
    #expect(relationships?["backgroundAsset"] == nil && relationships?["backgroundAssetVersion"] == nil)
    #expect(root["data"]?["attributes"]?["track"]?.string == "beta")
  }

  @Test func thePayloadHasTheShapeOfAppStoreConnects() throws {
    let text = WebhookPayload.body(
      .appStoreReleaseStateUpdated, id: "D", source: source("release.move", track: "production", after: "REJECTED"))
    let data = try #require(try JSONParser.parse(text).root["data"])
    #expect(data["type"]?.string == "backgroundAssetVersionAppStoreReleaseStateUpdated")
    #expect(data["id"]?.string == "D")
    #expect(data["version"]?.int == 1)
    #expect(data["attributes"]?["oldValue"]?.string == "IN_REVIEW")
    #expect(data["attributes"]?["newValue"]?.string == "REJECTED")
    #expect(data["attributes"]?["timestamp"]?.string == "2027-01-15T08:00:00Z")
    let instance = data["relationships"]?["instance"]?["data"]
    #expect(instance?["type"]?.string == "backgroundAssetVersionAppStoreReleases")
    #expect(instance?["id"]?.string == "R")
    #expect(data["relationships"]?["backgroundAssetVersion"]?["data"]?["id"]?.string == "V")
  }
}
