import AssetPacks
import JSONText

@testable import PackStore

/// A store with an app under a review policy, and the people who work on it.
final class ReviewFixture {
  static let publisher = Actor(name: "pat", tokenID: "token-pat")
  static let reviewer = Actor(name: "rob", tokenID: "token-rob")

  let temporary = TemporaryStore()
  let store: PackStore
  let app: AppRecord

  init(_ policy: ReviewPolicy = .required) throws {
    store = try temporary.open()
    app = try store.createApp(bundleID: "com.example.game", reviewPolicy: policy, actor: TemporaryStore.actor)
  }

  deinit { temporary.remove() }

  /// The pack of that name, made when it is not there.
  func pack(_ identifier: String) throws -> PackRecord {
    if let found = try store.packs(app: app.id, identifier: identifier).items.first { return found }
    return try store.createPack(app: app.id, identifier: identifier, actor: Self.publisher)
  }

  /// A new complete version.
  func version(_ identifier: String, platforms: [Platform] = []) throws -> VersionRecord {
    try store.makeVersion(try pack(identifier), platforms: platforms)
  }

  /// A draft with these versions.
  func draft(
    _ versions: VersionRecord..., track: Track = .production, confirmed: Set<String> = []
  ) throws -> (id: String, items: [ReviewItemRecord]) {
    let submission = try store.createReviewSubmission(
      app: app.id, track: track, confirmedRemovals: confirmed, actor: Self.publisher)
    var items: [ReviewItemRecord] = []
    for version in versions {
      items.append(try store.addReviewItem(submission: submission.id, version: version.id, actor: Self.publisher))
    }
    return (submission.id, items)
  }

  @discardableResult
  func submit(_ id: String, by actor: Actor = ReviewFixture.publisher) throws -> ReviewOutcome {
    try store.submitReview(id, actor: actor)
  }

  @discardableResult
  func decide(
    _ target: ReviewTarget, _ verdict: ReviewVerdict, _ reason: String? = nil, role: Role = .reviewer,
    by actor: Actor = ReviewFixture.reviewer
  ) throws -> ReviewOutcome {
    try store.decideReview(target, verdict, reason: reason, role: role, actor: actor)
  }

  func state(_ id: String) throws -> ReviewSubmissionState { try store.reviewSubmission(id).state }

  /// The states of a submission's items, in their order.
  func items(_ id: String) throws -> [ReviewItemState] { try store.reviewItems(submission: id).items.map(\.state) }

  /// The packs of a manifest as `id version`; nil when there is none.
  func listed(_ track: Track = .production, _ scope: ManifestScope = .all) throws -> [String]? {
    guard let record = try store.manifest(app: app.id, track: track, scope: scope) else { return nil }
    let packs = try JSONParser.parse(record.bytes, dialect: .strict).root["assetPacks"]?.array
    return packs?.map { "\($0["id"]?.string ?? "?") \($0["version"]?.int ?? -1)" }
  }

  /// Every row of every table, to see that nothing at all has changed.
  func dump() throws -> [String: [String]] {
    try store.catalog.read { (connection) throws(StoreFailure) in
      var tables: [String: [String]] = [:]
      for name in try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table'", make: { $0.text(0) }) {
        let columns = try connection.rows("SELECT name FROM pragma_table_info('\(name)')", make: { $0.text(0) })
        let all = columns.map { "quote(\"\($0)\")" }.joined(separator: " || ',' || ")
        tables[name] = try connection.rows("SELECT \(all) FROM \"\(name)\"", make: { $0.text(0) })
      }
      return tables
    }
  }
}
