import AssetPacks
import Digests
import PackStore

@testable import AdminAPI

/// An app with one of everything that belongs to an app.
struct Tenant {
  let app: String
  /// An admin's, for this app only.
  let token: String
  /// The id of one thing of each type.
  let ids: [String: String]

  init(_ fixture: APIFixture, bundleID: String) throws {
    let store = fixture.store
    let actor = Actor(name: "test")
    let app = try store.createApp(bundleID: bundleID, actor: actor).id
    self.app = app
    token = try store.createToken(name: "m", role: .admin, app: app, actor: actor).secret
    let versions = try ["a", "b"].map { identifier in
      let pack = try store.createPack(app: app, identifier: identifier, actor: actor)
      let first = try Self.version(of: pack.id, store, actor)
      _ = try store.release(
        app: app, track: .beta, packs: [ReleaseItem(identifier)], confirmedRemovals: [], actor: actor)
      return (pack.id, first, try Self.version(of: pack.id, store, actor))
    }
    let rollout = try store.startRollout(
      app: app, track: .beta, packs: [ReleaseItem("a")], percent: 10, confirmedRemovals: [], actor: actor
    )
    let lane = try store.createLane(
      app: app, track: .beta, name: "qa", pins: [LanePin("b", number: 1)], confirmedRemovals: [], actor: actor
    )
    _ = try store.updateApp(app, reviewPolicy: .required, actor: actor)
    let submission = try store.createReviewSubmission(
      app: app, track: .production, platform: nil, confirmedRemovals: [], rolloutPercent: nil, actor: actor)
    let item = try store.addReviewItem(submission: submission.id, version: versions[1].1, actor: actor)
    _ = try store.submitReview(submission.id, confirmedRemovals: nil, reason: nil, actor: actor)
    let decision = try store.decideReview(
      .submission(submission.id), .reject, reason: "No.", role: .admin, actor: Actor(name: "reviewer"))
    let webhook = try store.createWebhook(
      app: app, name: "w", url: "https://hooks.example.com/", secret: String(repeating: "s", count: 32),
      events: [], enabled: true, actor: actor)
    let delivery = try store.addWebhookDelivery(
      NewWebhookDelivery(id: "d-\(app)", event: "ping", body: "{}"), webhook: webhook.id, isRedelivery: false,
      actor: actor)
    let key = try store.createAPIKey(
      name: "k", role: .admin, app: app, publicKey: "-----BEGIN PUBLIC KEY-----", issuer: nil, actor: actor)
    let version = try store.version(versions[0].1)
    var ids = [
      "apps": app, "backgroundAssets": versions[0].0, "backgroundAssetVersions": version.id,
      "backgroundAssetUploadFiles": version.uploadID ?? "", "rollouts": rollout.id, "lanes": lane.id,
      "reviewSubmissions": submission.id, "reviewSubmissionItems": item.id,
      "reviewDecisions": decision.decision?.id ?? "", "webhooks": webhook.id, "webhookDeliveries": delivery.id,
      "apiKeys": key.id, "tokens": try store.createToken(name: "n", role: .viewer, app: app, actor: actor).record.id,
    ]
    for track in Track.allCases { ids[track.releaseType] = version.release(on: track)?.id }
    let events = try store.auditLog(AuditFilter(app: app), page: PageRequest(limit: 1)).items
    ids["auditEvents"] = events.first.map { String($0.number) }
    self.ids = ids
  }

  /// A complete version, all the way.
  private static func version(of pack: String, _ store: PackStore, _ actor: Actor) throws -> String {
    let version = try store.createVersion(pack: pack, actor: actor)
    let content = Array(version.id.utf8)
    let digest = Digest.sha256Text(content)
    let upload = try store.reserveUpload(
      version: version.id, fileName: "a.aar", fileSize: Int64(content.count), actor: actor)
    let writer = try store.beginPart(upload: upload.id, number: 1)
    try content.withUnsafeBytes { try writer.write($0) }
    _ = try writer.finish()
    _ = try store.commitUpload(upload.id, sha256: digest, actor: actor)
    try store.adoptUpload(upload.id, sha256: digest, size: Int64(content.count))
    return try store.completeProcessing(
      version: version.id,
      facts: ProcessingFacts(
        sha256: digest, size: Int64(content.count), installSize: 1, platforms: [], language: nil, policy: .onDemand,
        userInfo: nil)
    ).id
  }
}
