import AssetPacks
import Foundation
import Testing

@testable import PackStore

/// A preview is the release itself, rolled back: it is refused for the same reason, and leaves nothing behind.
@Suite struct PreviewRefusalTests {
  /// A situation, and what a release of its packs is answered with.
  struct Situation: Sendable, CustomTestStringConvertible {
    let code: String
    let track: Track
    let items: [ReleaseItem]
    let prepare: @Sendable (ReviewFixture) throws -> PackStore?

    init(
      _ code: String, _ track: Track = .production, _ items: [ReleaseItem] = [ReleaseItem("a")],
      _ prepare: @escaping @Sendable (ReviewFixture) throws -> PackStore?
    ) {
      (self.code, self.track, self.items, self.prepare) = (code, track, items, prepare)
    }

    var testDescription: String { code }
  }

  static let situations: [Situation] = [
    Situation("OK") {
      _ = try $0.version("a")
      return nil
    },
    Situation("OK", .internal) {
      _ = try $0.version("a")
      return nil
    },
    Situation("VALUE_INVALID", .production, []) { _ in nil },
    Situation("VALUE_INVALID", .production, [ReleaseItem("a"), ReleaseItem("a")]) {
      _ = try $0.version("a")
      return nil
    },
    Situation("NOT_FOUND", .production, [ReleaseItem("nobody")]) { _ in nil },
    Situation("NOT_FOUND", .production, [ReleaseItem("a", number: 9)]) {
      _ = try $0.version("a")
      return nil
    },
    Situation("VERSION_NOT_COMPLETE") {
      _ = try $0.pack("a")
      return nil
    },
    Situation("VERSION_NOT_COMPLETE", .production, [ReleaseItem("a", number: 1)]) {
      _ = try $0.store.createVersion(pack: try $0.pack("a").id, actor: $0.store.actor)
      return nil
    },
    Situation("PACK_ARCHIVED") { fixture in
      _ = try fixture.version("a")
      _ = try fixture.store.archivePack(
        try fixture.pack("a").id, confirmedRemovals: ["a"], actor: fixture.store.actor)
      return nil
    },
    Situation("REVIEW_REQUIRED") { fixture in
      _ = try fixture.version("a")
      _ = try fixture.store.updateApp(fixture.app.id, reviewPolicy: .required, actor: fixture.store.actor)
      return nil
    },
    Situation("REVIEW_IN_PROGRESS") { fixture in
      try review(fixture, track: .production)
      return nil
    },
    Situation("STATE_NOT_ALLOWED", .beta) { fixture in
      let submission = try review(fixture, track: .beta)
      _ = try fixture.decide(.submission(submission), .reject, "The sky is green.")
      _ = try fixture.store.withdrawReview(submission, reason: nil, actor: fixture.store.actor)
      return nil
    },
    Situation("VERSION_WOULD_FALL", .production, [ReleaseItem("a", number: 1)]) { fixture in
      for _ in 1...2 { _ = try fixture.version("a") }
      try release(fixture, [ReleaseItem("a")])
      return nil
    },
    Situation("ROLLOUT_RUNNING", .production, [ReleaseItem("a", number: 2)]) { fixture in
      _ = try fixture.version("a")
      try release(fixture, [ReleaseItem("a")])
      _ = try fixture.version("a")
      _ = try fixture.store.startRollout(
        app: fixture.app.id, track: .production, packs: [ReleaseItem("a")], percent: 10, actor: fixture.store.actor)
      return nil
    },
    Situation("MANIFEST_WOULD_SHRINK") { fixture in
      for identifier in ["a", "b"] { _ = try fixture.version(identifier, platforms: [.iOS, .macOS]) }
      try release(fixture, [ReleaseItem("a"), ReleaseItem("b")])
      _ = try fixture.version("a", platforms: [.iOS])
      return nil
    },
    Situation("MANIFEST_WOULD_BE_EMPTY") { fixture in
      _ = try fixture.version("a", platforms: [.iOS, .macOS])
      try release(fixture, [ReleaseItem("a")])
      _ = try fixture.version("a", platforms: [.iOS])
      return nil
    },
    // Only the lane's manifest loses the pack: on the track another one keeps the platform's manifest alive.
    Situation("MANIFEST_WOULD_SHRINK") { fixture in
      for identifier in ["a", "b"] { _ = try fixture.version(identifier, platforms: [.iOS, .tvOS]) }
      try release(fixture, [ReleaseItem("a"), ReleaseItem("b")])
      _ = try fixture.store.createLane(
        app: fixture.app.id, track: .production, name: "1.x", pins: [LanePin("b", number: 1)],
        actor: fixture.store.actor)
      _ = try fixture.version("a", platforms: [.tvOS])
      return nil
    },
    Situation("HOST_NOT_ALLOWED") { fixture in
      _ = try fixture.version("a")
      var options = fixture.store.options
      options.publicBaseURL = "https://elsewhere.example"
      options.takesLock = false
      return try PackStore(options)
    },
  ]

  private static func release(_ fixture: ReviewFixture, _ items: [ReleaseItem]) throws {
    _ = try fixture.store.release(
      app: fixture.app.id, track: .production, packs: items, actor: fixture.store.actor)
  }

  /// Submits a version for review, and then lets the app go without reviews.
  @discardableResult
  private static func review(_ fixture: ReviewFixture, track: Track) throws -> String {
    _ = try fixture.store.updateApp(fixture.app.id, reviewPolicy: .required, actor: fixture.store.actor)
    let draft = try fixture.draft(try fixture.version("a"), track: track)
    try fixture.submit(draft.id)
    _ = try fixture.store.updateApp(fixture.app.id, reviewPolicy: ReviewPolicy.none, actor: fixture.store.actor)
    return draft.id
  }

  @Test(arguments: situations) func aPreviewAnswersAsTheReleaseDoes(_ situation: Situation) throws {
    let fixture = try ReviewFixture(.none)
    let store = try situation.prepare(fixture) ?? fixture.store
    let served = ServedStates(store) { _ in "served" }
    let before = try everything(store)
    let foreseen = code {
      try store.previewRelease(app: fixture.app.id, track: situation.track, packs: situation.items).refusal?.code
    }
    #expect(try everything(store) == before)
    #expect(served.all.isEmpty)
    let actual = code {
      _ = try store.release(
        app: fixture.app.id, track: situation.track, packs: situation.items, actor: store.actor)
      return nil
    }
    #expect(foreseen == situation.code)
    #expect(actual == situation.code)
  }

  private func code(_ body: () throws -> RefusalCode?) -> String {
    do {
      return try body()?.rawValue ?? "OK"
    } catch {
      return (error as? StoreFailure)?.refusal.code.rawValue ?? "\(error)"
    }
  }

  /// All rows of all tables, and all files below `published/`.
  private func everything(_ store: PackStore) throws -> [String] {
    var lines = try store.catalog.read { (connection) throws(StoreFailure) in
      var lines: [String] = []
      let tables = try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name") {
        $0.text(0)
      }
      for table in tables {
        let columns = try connection.rows("SELECT name FROM pragma_table_info('\(table)')") { "quote(\($0.text(0)))" }
        let row = columns.joined(separator: " || ',' || ")
        lines += try connection.rows("SELECT \(row) FROM \(table) ORDER BY 1") { "\(table): \($0.text(0))" }
      }
      return lines
    }
    let folder = store.blobs.publishedFolder
    for name in FileManager.default.enumerator(atPath: folder)?.compactMap({ $0 as? String }).sorted() ?? [] {
      let bytes = FileManager.default.contents(atPath: "\(folder)/\(name)")
      lines.append("\(name): \(bytes.map { String(decoding: $0, as: UTF8.self) } ?? "a folder")")
    }
    return lines
  }
}
