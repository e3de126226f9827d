import AssetPacks
import Testing

@testable import PackStore

struct OverdueStateTests {
  private static let hour: Int64 = 3600
  private static let day: Int64 = 86_400

  private func lines(_ store: PackStore) throws -> [String] {
    try store.auditLog(page: PageRequest(limit: 200)).items.filter { $0.action == "state.stuck" }.reversed()
      .map { "\($0.subject): \($0.before ?? "") \($0.reason ?? "")" }
  }

  @Test func eachStayIsToldOnceAlsoAfterARestart() throws {
    let fixture = try ReviewFixture()
    let (id, items) = try fixture.draft(try fixture.version("a"))
    try fixture.submit(id)
    fixture.temporary.time.advance(3 * Self.day)
    #expect(try fixture.store.checkDeadlines(Deadlines()).stuck.isEmpty)
    fixture.temporary.time.advance(1)
    let first = try fixture.store.checkDeadlines(Deadlines())
    #expect(first.stuck.map(\.kind) == [.submission])
    #expect(first.new == first.stuck)
    #expect(
      try lines(fixture.store) == [
        "review submission \(id) for production: WAITING_FOR_REVIEW it is WAITING_FOR_REVIEW for longer than 3 d "
          + "(deadlines.waitingForReview)"
      ])
    let again = try fixture.store.checkDeadlines(Deadlines())
    #expect(again.stuck == first.stuck && again.new.isEmpty)
    // The same folder, as another daemon would find it.
    let restarted = try fixture.temporary.open { $0.takesLock = false }
    #expect(try restarted.checkDeadlines(Deadlines()).new.isEmpty)
    #expect(try lines(restarted).count == 1)
    // Moved on: nothing is stuck, and the next stay is told anew.
    try fixture.decide(.item(items[0].id), .begin)
    #expect(try fixture.store.checkDeadlines(Deadlines()).stuck.isEmpty)
    fixture.temporary.time.advance(2 * Self.day + 1)
    #expect(try fixture.store.checkDeadlines(Deadlines()).new.map(\.state) == ["IN_REVIEW"])
    #expect(try lines(fixture.store).count == 2)
  }

  @Test func everyKindHasItsDeadlines() throws {
    let fixture = try ReviewFixture()
    let store = fixture.store
    let waiting = try store.createVersion(pack: try fixture.pack("w").id, actor: ReviewFixture.publisher)
    let (id, items) = try fixture.draft(try fixture.version("a"), try fixture.version("b"))
    try fixture.submit(id)
    try fixture.decide(.item(items[0].id), .approve)
    try fixture.decide(.item(items[1].id), .reject, "no")
    _ = try fixture.version("c")
    func stuck() throws -> Set<String> {
      Set(try store.checkDeadlines(Deadlines()).stuck.map { "\($0.kind) \($0.state)" })
    }
    fixture.temporary.time.advance(7 * Self.day + 1)
    #expect(try stuck() == ["version AWAITING_UPLOAD", "item ACCEPTED"])
    fixture.temporary.time.advance(7 * Self.day)
    #expect(
      try stuck() == [
        "version AWAITING_UPLOAD", "item ACCEPTED", "item REJECTED", "submission UNRESOLVED_ISSUES",
      ])
    fixture.temporary.time.advance(90 * Self.day)
    let all = try store.checkDeadlines(Deadlines()).stuck
    // Of a, b and c for the beta, and of c for production; a and b are in a submission there.
    #expect(
      all.filter { $0.kind == .release }.map(\.subject).sorted() == [
        "a 1 on beta", "b 1 on beta", "c 1 on beta", "c 1 on production",
      ])
    // What has a successor is not waited for.
    _ = try fixture.version("c")
    #expect(try store.checkDeadlines(Deadlines()).stuck.filter { $0.subject.hasPrefix("c 1") }.isEmpty)
    _ = try store.failProcessing(version: waiting.id, messages: [VersionMessage(.error, code: "X", description: "x")])
    #expect(try store.checkDeadlines(Deadlines()).stuck.filter { $0.kind == .version }.isEmpty)
  }

  @Test func aRolloutThatStandsStillIsTold() throws {
    let fixture = try ReviewFixture(.none)
    let first = try fixture.draft(try fixture.version("a"))
    try fixture.submit(first.id)
    _ = try fixture.version("a")
    let rollout = try fixture.store.startRollout(
      app: fixture.app.id, track: .production, packs: [ReleaseItem("a")], percent: 10, actor: ReviewFixture.publisher)
    fixture.temporary.time.advance(30 * Self.day + 1)
    let stuck = try fixture.store.checkDeadlines(Deadlines()).new
    #expect(
      stuck.map { "\($0.kind) \($0.state) \($0.subject)" } == [
        "rollout RUNNING rollout \(rollout.id) on production"
      ])
  }

  @Test func deadlinesAreChangedAndSwitchedOff() throws {
    let fixture = try ReviewFixture()
    let (id, _) = try fixture.draft(try fixture.version("a"))
    var deadlines = Deadlines()
    deadlines[.draft] = 60
    fixture.temporary.time.advance(61)
    #expect(try fixture.store.checkDeadlines(deadlines).stuck.map(\.kind) == [.submission, .item])
    try fixture.submit(id)
    deadlines[.draft] = 0
    deadlines[.waitingForReview] = 0
    fixture.temporary.time.advance(5 * Self.day)
    #expect(try fixture.store.checkDeadlines(deadlines).stuck.isEmpty)
    #expect(try fixture.store.checkDeadlines(Deadlines()).stuck.map(\.limit) == [3 * 86_400])
  }
}
