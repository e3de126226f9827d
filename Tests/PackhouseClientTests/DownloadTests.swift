import Digests
import Foundation
import Testing
import TestSupport

@testable import PackhouseClient

@Suite(.waits) struct DownloadTests {
  let fixture: ClientFixture
  var server: ScriptedServer { fixture.server }

  init() throws {
    fixture = try ClientFixture()
    try fixture.server.serve("a")
  }

  private func ensure(_ change: (inout ClientConfiguration) -> Void = { _ in }) async throws -> AssetPackManager {
    let manager = try fixture.manager(change)
    try await fixture.ensure("a", with: manager)
    return manager
  }

  private func failure(_ change: (inout ClientConfiguration) -> Void = { _ in }) async throws
    -> ManagedBackgroundAssetsError?
  {
    do {
      _ = try await ensure(change)
      return nil
    } catch { return error as? ManagedBackgroundAssetsError }
  }

  @Test func aPackIsDownloadedUnpackedAndNothingElseIsLeft() async throws {
    let manager = try await ensure()
    #expect(fixture.version("a", manager) == "1")
    #expect(try manager.contents(at: "a/data.bin").count == 200_016)
    #expect(fixture.isTidy)
    #expect(server.log == ["manifest", "a"])
  }

  @Test func aDownloadThatBreaksOffIsContinuedInTheSameCall() async throws {
    server.fail("a", .cut(100_000), .cut(50_000))
    let manager = try await ensure()
    #expect(fixture.version("a", manager) == "1")
    #expect(server.log == ["manifest", "a", "a bytes=100000-", "a bytes=150000-"])
  }

  @Test func aDownloadThatBreaksOffIsContinuedByTheNextProcess() async throws {
    server.fail("a", .cut(100_000))
    let error = try await failure { $0.attempts = 1 }
    #expect(error?.isTransient == true)
    #expect(fixture.folder.files("cache/downloads") == ["a.partial", "a.partial.json"])
    let manager = try await ensure()
    #expect(server.log.last == "a bytes=100000-")
    #expect(fixture.version("a", manager) == "1")
    #expect(fixture.isTidy)
  }

  @Test func aLineThatBreaksAgainAndAgainStillComesToTheEnd() async throws {
    for _ in 0..<20 { server.fail("a", .cut(9_000)) }
    let manager = try await ensure()
    #expect(fixture.version("a", manager) == "1")
  }

  @Test func aServerThatBringsNothingIsGivenUp() async throws {
    server.fail("a", .refused, .status(503), .refused)
    #expect(try await failure()?.isTransient == true)
    #expect(server.log.filter { $0 == "a" }.count == 3)
  }

  @Test func aServerThatAsksForAnHourIsNotWaitedFor() async throws {
    server.fail("a", .busy(retryAfter: "0"), .busy(retryAfter: "3600"))
    let failure = try await failure()
    #expect(failure == .status(503, url: "https://packs.example.com/packs/1/a", retryAfter: .seconds(3600)))
    #expect(failure?.recovery == "Try again in 3600 seconds.")
    #expect(server.log.filter { $0 == "a" }.count == 2)
  }

  @Test func bytesOfAnotherEntityAreNotMixed() async throws {
    server.fail("a", .cut(100_000))
    _ = try await failure { $0.attempts = 1 }
    // The same version with other bytes: the tag is another, so the server sends it all.
    try server.serve("a", version: 2)
    server.state.withLock { $0.packs["a"]?.version = 1 }
    let manager = try fixture.manager()
    try await manager.manifest()
    try await fixture.ensure("a", with: manager)
    #expect(fixture.version("a", manager) == "2")
    #expect(server.log.last == "a bytes=100000-")
  }

  @Test func aServerThatIgnoresTheRangeIsUnderstood() async throws {
    server.fail("a", .cut(100_000), .ignoresRange)
    #expect(fixture.version("a", try await ensure()) == "1")
  }

  @Test func aRangeThatWasNotAskedForStartsTheDownloadAnew() async throws {
    server.fail("a", .cut(100_000), .wrongRange)
    #expect(fixture.version("a", try await ensure()) == "1")
    #expect(server.log == ["manifest", "a", "a bytes=100000-", "a"])
  }

  @Test func withoutATagADownloadStartsAnew() async throws {
    server.state.withLock { $0.packs["a"]?.tag = "" }
    server.fail("a", .cut(100_000))
    _ = try await failure { $0.attempts = 1 }
    let note = fixture.cacheFolder + "/downloads/a.partial.json"
    try FileManager.default.removeItem(atPath: note)
    #expect(fixture.version("a", try await ensure()) == "1")
    #expect(server.log.suffix(1) == ["a"])
  }

  @Test func wrongBytesAreDeletedAndTheNextRunIsWhole() async throws {
    server.fail("a", .flipped)
    let digest = server.state.withLock { Digest.sha256Text($0.packs["a"]?.bytes ?? []) }
    guard case .wrongDigest("a", digest, _)? = try await failure() else {
      Issue.record("expected a wrong digest")
      return
    }
    #expect(fixture.folder.files("cache/packs").isEmpty)
    #expect(fixture.version("a", try await ensure()) == "1")
  }

  @Test func wrongBytesFromBeforeAreDownloadedAnewAtOnce() async throws {
    server.fail("a", .cut(100_000))
    _ = try await failure { $0.attempts = 1 }
    let path = fixture.cacheFolder + "/downloads/a.partial"
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes[50] ^= 1
    try bytes.write(to: URL(fileURLWithPath: path))
    #expect(fixture.version("a", try await ensure()) == "1")
    #expect(server.log.suffix(2) == ["a bytes=100000-", "a"])
  }

  @Test func theDigestOfTheManifestCountsBeforeTheTags() async throws {
    let wrong = String(repeating: "0", count: 64)
    server.state.withLock { $0.packs["a"]?.userInfo = #"{"sha256":"\#(wrong)"}"# }
    guard case .wrongDigest("a", wrong, _)? = try await failure() else {
      Issue.record("expected a wrong digest")
      return
    }
  }

  @Test func tagsThatOnlyLookLikeDigestsCanBeLeftOut() async throws {
    server.state.withLock { $0.packs["a"]?.tag = String(repeating: "1", count: 64) }
    #expect(try await failure() != nil)
    #expect(try await failure { $0.trustsEntityTagDigests = false } == nil)
  }

  @Test func anotherLengthThanTheManifestsIsRefused() async throws {
    let size = server.state.withLock { state in
      let count = state.packs["a"]?.bytes.count ?? 0
      state.packs["a"]?.size = count - 1
      return Int64(count)
    }
    #expect(try await failure() == .wrongLength(pack: "a", expected: size - 1, found: size))
    #expect(fixture.folder.files("cache/packs").isEmpty)
  }

  @Test func anAnswerThatEndsTooSoonIsRefused() async throws {
    let size = server.state.withLock { Int64($0.packs["a"]?.bytes.count ?? 0) }
    server.fail("a", .unannounced(100_000))
    #expect(try await failure { $0.attempts = 1 } == .wrongLength(pack: "a", expected: size, found: 100_000))
    #expect(fixture.folder.files("cache/packs").isEmpty)
  }

  @Test func anAnswerThatDoesNotEndIsNotWrittenToTheDisk() async throws {
    let size = server.state.withLock { Int64($0.packs["a"]?.bytes.count ?? 0) }
    server.fail("a", .unannounced(20 * Int(size)))
    let refusal = try await failure { $0.attempts = 1 }
    guard case .wrongLength("a", size, let found)? = refusal else {
      Issue.record("expected a wrong length")
      return
    }
    // It was broken off with the first piece that is too much.
    #expect(found > size && found < 10 * size)
  }

  @Test func aPartOfSomethingElseStartsTheDownloadAnew() async throws {
    server.fail("a", .cut(100_000), .otherTag)
    #expect(fixture.version("a", try await ensure()) == "1")
    #expect(server.log == ["manifest", "a", "a bytes=100000-", "a"])
  }

  @Test func aManifestThatIsTooLongIsRefused() async throws {
    server.state.withLock { $0.manifest = String(repeating: " ", count: (16 << 20) + 1) }
    #expect(try await failure() == .malformedManifest("expected at most 16777216 bytes, found more"))
  }

  @Test func aPackThatIsNotThereIsNotAskedForAgain() async throws {
    server.fail("a", .status(404))
    #expect(try await failure() == .status(404, url: "https://packs.example.com/packs/1/a"))
    #expect(server.log == ["manifest", "a"])
  }

  @Test func otherHostsAreNotAskedNotEvenByARedirect() async throws {
    #expect(
      try await failure { $0.restrictions.domainAllowList = ["other.example.com"] }
        == .sessionDownloadDisallowedByDomain(host: "packs.example.com"))
    #expect(server.log == [])
    let restrict: (inout ClientConfiguration) -> Void = { $0.restrictions.domainAllowList = ["*.example.com"] }
    server.fail("a", .redirect("https://evil.example.org/a"))
    #expect(try await failure(restrict) == .sessionDownloadDisallowedByDomain(host: "evil.example.org"))
    server.fail("a", .redirect("/packs/1/a"))
    #expect(try await failure(restrict) == nil)
  }

  @Test func errorsSayWhatToDo() {
    let errors: [ManagedBackgroundAssetsError] = [
      .assetPackNotFound(withID: "a"), .fileNotFound(at: "a"), .sessionDownloadDisallowedByDomain(host: "h"),
      .sessionDownloadDisallowedByAllowance(pack: "a", size: 2, allowance: 1),
      .sessionDownloadAllowanceExceeded(pack: "a", size: 2, left: 1), .installSizeExceeded(pack: "a", left: 1),
      .onDemandResourceInvalidTag("t"), .onDemandResourceOutOfSpace(pack: "a", size: 2, budget: 1),
      .malformedManifest("x"), .emptyManifest(localPacks: 1), .network("X.", isTransient: true), .certificate("X."),
      .status(404, url: "u"), .wrongLength(pack: "a", expected: 1, found: 2),
      .wrongDigest(pack: "a", expected: "1", found: "2"), .wrongRange(pack: "a", contentRange: ""),
      .badArchive(pack: "a", reason: "X."), .file("X."), .diskFull("X."), .cancelled,
    ]
    for error in errors {
      #expect(error.sentence.hasSuffix("."), "\(error)")
      #expect(error.recovery.hasSuffix("."), "\(error)")
      #expect(error.description == "\(error.sentence) \(error.recovery)")
    }
    #expect(errors.compactMap(\.deviceCode) == [202, 203, 204])
  }
}
