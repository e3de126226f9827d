import AssetPacks
import Foundation
import Testing

@testable import PackStore

@Suite struct RollbackTests {
  @Test func theOldBytesGetAHigherNumberAndAreLiveAtOnce() throws {
    let fixture = try TrackFixture()
    let pack = try fixture.pack("a")
    for _ in 1...2 {
      try fixture.store.makeVersion(pack)
      try fixture.release("a")
    }
    let result = try fixture.rollback("a")
    #expect(result.number == 3 && result.sourceNumber == 1 && result.previousNumber == 2)
    #expect(result.state == "READY_FOR_DISTRIBUTION")
    #expect(try fixture.listed() == ["a 3"])
    #expect(try fixture.bytes(3, of: "a") == fixture.bytes(1, of: "a"))
    // Testers keep the newest upload, and the next upload gets the next number.
    #expect(try fixture.listed(track: .internal) == ["a 2"])
    #expect(try fixture.store.version(result.versionID).internalState == .superseded)
    #expect(try fixture.store.makeVersion(pack).number == 4)
    #expect(try fixture.listed(track: .internal) == ["a 4"])
    let lines = try fixture.store.auditLog(app: fixture.app.id, page: PageRequest(limit: 200)).items
    #expect(lines.contains { $0.action == "rollback.create" && $0.before == "2" && $0.after == "3" })
    #expect(lines.contains { $0.action == "version.move" && $0.subject == "a 3" && $0.after == "COMPLETE" })
  }

  @Test func againGoesBackOneMoreAndNeverForward() throws {
    let fixture = try TrackFixture()
    let pack = try fixture.pack("a")
    for _ in 1...3 {
      try fixture.store.makeVersion(pack)
      try fixture.release("a")
    }
    #expect(try fixture.rollback("a").sourceNumber == 2)
    #expect(try fixture.rollback("a").sourceNumber == 1)
    let none = fixture.failure { _ = try fixture.rollback("a") }
    #expect(none == .noEarlierVersion(pack: "a", track: .production, live: 5))
    // By its number any version can be named, also one that was rolled back.
    #expect(try fixture.rollback("a", to: 3).number == 6)
    #expect(try fixture.listed() == ["a 6"])
    #expect(try fixture.bytes(6, of: "a") == fixture.bytes(3, of: "a"))
  }

  @Test func theBytesThatAreLiveAreNotRolledBackTo() throws {
    let fixture = try TrackFixture()
    let pack = try fixture.pack("a")
    for _ in 1...2 {
      try fixture.store.makeVersion(pack)
      try fixture.release("a")
    }
    _ = try fixture.rollback("a", to: 1)
    let again = fixture.failure { _ = try fixture.rollback("a", to: 1) }
    #expect(again == .sameBytesLive(pack: "a", track: .production, live: 3, requested: 1))
    #expect(again?.sentence.contains("already, as version 3") == true)
    #expect(try fixture.listed() == ["a 3"])
  }

  @Test func nothingLiveAndUnknownNumbersAreRefused() throws {
    let fixture = try TrackFixture()
    let pack = try fixture.pack("a")
    try fixture.store.makeVersion(pack)
    #expect(fixture.failure { _ = try fixture.rollback("a") } == .nothingLive(pack: "a", track: .production))
    try fixture.release("a")
    #expect(
      fixture.failure { _ = try fixture.rollback("a", to: 9) } == .notFound(kind: .version, name: "9 of a"))
    #expect(fixture.failure { _ = try fixture.rollback("b") } == .notFound(kind: .pack, name: "b"))
  }

  @Test func bytesThatAreGoneAreSaidToBe() throws {
    let fixture = try TrackFixture()
    let pack = try fixture.pack("a")
    let first = try fixture.store.makeVersion(pack)
    try fixture.release("a")
    try fixture.store.makeVersion(pack)
    try fixture.release("a")
    try FileManager.default.removeItem(atPath: fixture.store.blobs.path(ofBlob: try #require(first.sha256)))
    let before = try fixture.store.liveState()
    let gone = fixture.failure { _ = try fixture.rollback("a") }
    #expect(gone == .bytesGone(pack: "a", number: 1))
    #expect(gone?.sentence.contains("Restore the file") == true)
    #expect(try fixture.store.liveState() == before)
  }

  @Test(arguments: [ReviewPolicy.required, .fourEyes])
  func whatWasLiveOnceIsApproved(policy: ReviewPolicy) throws {
    let fixture = try TrackFixture()
    let pack = try fixture.pack("a")
    try fixture.store.makeVersion(pack)
    try fixture.store.makeVersion(pack)
    try fixture.release("a", 1)
    try fixture.store.makeVersion(pack)
    try fixture.release("a", 3)
    try fixture.release("a", 3, track: .beta)
    _ = try fixture.store.updateApp(fixture.app.id, reviewPolicy: policy, actor: fixture.store.actor)
    #expect(
      fixture.failure { _ = try fixture.rollback("a", to: 2) } == .reviewRequired(policy: policy))
    #expect(
      fixture.failure { _ = try fixture.rollback("a", to: 1, track: .beta) } == .reviewRequired(policy: policy))
    #expect(try fixture.rollback("a").number == 4)
    #expect(try fixture.listed() == ["a 4"])
  }

  @Test func theInternalTrackCanBeRolledBackToo() throws {
    let fixture = try TrackFixture()
    let pack = try fixture.pack("a")
    try fixture.store.makeVersion(pack)
    try fixture.store.makeVersion(pack)
    let result = try fixture.rollback("a", track: .internal)
    #expect(result.number == 3 && result.state == "READY_FOR_TESTING")
    #expect(try fixture.listed(track: .internal) == ["a 3"])
    #expect(try fixture.listed() == nil)
  }

  @Test func aPlatformIsNotLostWithoutAWord() throws {
    let fixture = try TrackFixture()
    let pack = try fixture.pack("a")
    let other = try fixture.pack("b")
    try fixture.store.makeVersion(other, platforms: [.iOS, .macOS])
    try fixture.release("b")
    try fixture.store.makeVersion(pack, platforms: [.iOS])
    try fixture.release("a")
    try fixture.store.makeVersion(pack, platforms: [.iOS, .macOS])
    try fixture.release("a")
    #expect(
      fixture.failure { _ = try fixture.rollback("a") }
        == .manifestWouldShrink(track: .production, platform: "macOS", packs: ["a"]))
    #expect(try fixture.listed() == ["a 2", "b 1"])
    #expect(try fixture.rollback("a", confirmed: ["a"]).number == 3)
    #expect(try fixture.listed(scope: .platform(.macOS)) == ["b 1"])
  }
}
