import AssetPacks
import SystemIO
import Testing
import Values

@testable import PackStore

/// The one table of refusals: what each says, and what a program ends with.
@Suite struct RefusalTests {
  @Test func codesFitTheirStatus() {
    for code in RefusalCode.allCases {
      #expect(code.rawValue.allSatisfy { $0.isUppercase || $0 == "_" }, "\(code)")
      #expect((400...599).contains(code.status) && !code.title.isEmpty, "\(code)")
      switch code.status {
      case 401, 403: #expect(code.exitCode == .noPermission, "\(code)")
      case 429, 503: #expect(code.exitCode == .temporaryFailure, "\(code)")
      default: break
      }
      #expect(code.status < 500 ? code.exitCode != .unavailable : code.exitCode != .dataError, "\(code)")
    }
  }

  @Test func failuresOfTheMachineEndTheProgramAsTheManualSays() {
    let cases: [(StoreFailure, ExitCode, RefusalCode, isAboutCatalog: Bool)] = [
      (.stateFolderInUse(path: "s", processID: 1), .unavailable, .internalFailure, false),
      (.stateFolderNotMade(path: "s", SystemFailure("mkdir", "s", code: 13)), .cannotCreate, .internalFailure, false),
      (.readOnly(path: "s"), .cannotCreate, .internalFailure, false),
      (.system(SystemFailure("open", "s", code: 13)), .cannotCreate, .internalFailure, false),
      (.system(SystemFailure("open", "s", code: 5)), .system, .internalFailure, false),
      (.diskFull(path: "s"), .cannotCreate, .diskFull, false),
      (.diskNearlyFull(path: "s", free: 1, needed: 2), .cannotCreate, .diskFull, false),
      (.catalogDamaged(path: "s", detail: "d"), .software, .internalFailure, true),
      (.catalogNewer(path: "s", found: 9, known: 8), .software, .internalFailure, true),
      (.catalogOlder(path: "s"), .software, .internalFailure, false),
      (.catalogBusy(path: "s"), .temporaryFailure, .catalogBusy, false),
      (.hostNotAllowed(host: "h", app: "a", allowed: []), .configuration, .hostNotAllowed, false),
      (.backupUnusable(path: "s", fault: "f"), .noInput, .internalFailure, false),
      (.folderNotEmpty(path: "s"), .cannotCreate, .internalFailure, false),
    ]
    for (failure, exitCode, code, isAboutCatalog) in cases {
      let refusal = failure.refusal
      #expect(refusal.exitCode == exitCode, "\(failure)")
      #expect(refusal.code == code, "\(failure)")
      #expect(refusal.isAboutCatalog == isAboutCatalog, "\(failure)")
    }
  }

  /// What a preview ends with is what the release ends with, which only gets the code from the server.
  @Test func whatClientsMayBringAboutEndsTheSameHereAndThere() {
    let failures: [StoreFailure] = [
      .notFound(kind: .pack, name: "p"), .wasChanged, .packArchived(pack: "p"),
      .rolloutRunning(pack: nil, track: .beta),
      .manifestWouldShrink(track: .beta, platform: "iOS", packs: ["p"]), .noCompleteVersion(pack: "p"),
      .reviewRequired(policy: .required), .versionWouldFall(pack: "p", track: .beta, live: 2, requested: 1),
      .hostNotAllowed(host: "h", app: "a", allowed: []), .quota(.server(needed: 1, free: 0, maximum: 1)),
      .roleMayNotReview(role: .viewer, policy: .required), .nothingLive(pack: "p", track: .beta),
    ]
    for failure in failures {
      #expect(failure.refusal.exitCode == failure.refusal.code.exitCode, "\(failure)")
      #expect(failure.sentence.hasSuffix("."), "\(failure)")
    }
  }
}
