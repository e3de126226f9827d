import AssetPacks
import Foundation
import JSONText
import Testing

@testable import PackStore

/// A store with one app, for the tests of what happens on its tracks.
final class TrackFixture {
  let temporary = TemporaryStore()
  let renders = RenderCount()
  let store: PackStore
  let app: AppRecord

  init(_ change: (inout StoreOptions) -> Void = { _ in }) throws {
    let renders = renders
    store = try temporary.open {
      $0.renders = renders
      change(&$0)
    }
    app = try store.makeApp()
  }

  deinit { temporary.remove() }

  @discardableResult
  func pack(_ identifier: String) throws -> PackRecord {
    try store.createPack(app: app.id, identifier: identifier, actor: store.actor)
  }

  @discardableResult
  func release(
    _ identifier: String, _ number: Int? = nil, track: Track = .production, confirmed: Set<String> = []
  ) throws -> ReleaseResult {
    try store.release(
      app: app.id, track: track, packs: [ReleaseItem(identifier, number: number)], confirmedRemovals: confirmed,
      actor: store.actor)
  }

  func rollback(
    _ identifier: String, to number: Int? = nil, track: Track = .production, confirmed: Set<String> = []
  ) throws -> RollbackResult {
    try store.rollback(
      app: app.id, track: track, pack: identifier, to: number, confirmedRemovals: confirmed, actor: store.actor)
  }

  func roll(
    _ items: [ReleaseItem], _ percent: Int, track: Track = .production, confirmed: Set<String> = []
  ) throws -> RolloutRecord {
    try store.startRollout(
      app: app.id, track: track, packs: items, percent: percent, confirmedRemovals: confirmed, actor: store.actor
    )
  }

  @discardableResult
  func change(
    _ rollout: RolloutRecord, _ percent: Int? = nil, _ move: RolloutStateMachine.Event? = nil
  ) throws -> RolloutRecord {
    try store.changeRollout(rollout.id, percent: percent, move: move, actor: store.actor)
  }

  func lane(_ name: String, _ pins: [LanePin], track: Track = .production) throws -> LaneRecord {
    try store.createLane(app: app.id, track: track, name: name, pins: pins, actor: store.actor)
  }

  /// The packs of a published manifest as `id version`; nil when there is none.
  func listed(
    _ variant: ManifestVariant = .base, track: Track = .production, scope: ManifestScope = .all
  ) throws -> [String]? {
    let live = try #require(try store.liveState().apps.first)
    let record = live.manifests.first { $0.variant == variant && $0.track == track && $0.scope == scope }
    guard let record else { return nil }
    let packs = try JSONParser.parse(record.bytes, dialect: .strict).root["assetPacks"]?.array
    return packs?.map { "\($0["id"]?.string ?? "?") \($0["version"]?.int ?? -1)" }
  }

  static let reached = ManifestVariant(lane: nil, side: .new)
  static func lane(_ name: String, _ side: ManifestVariant.Side = .current) -> ManifestVariant {
    ManifestVariant(lane: name, side: side)
  }

  /// The bytes of a version.
  func bytes(_ number: Int, of identifier: String) throws -> String? {
    let pack = try #require(try store.packs(app: app.id, identifier: identifier).items.first)
    return try store.versions(pack: pack.id, filter: VersionFilter(number: number)).items.first?.sha256
  }

  /// The code of what `body` throws.
  func failure(_ body: () throws -> Void) -> StoreFailure? {
    do {
      try body()
      return nil
    } catch { return error as? StoreFailure }
  }
}
