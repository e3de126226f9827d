import AssetPacks
import Foundation
import Testing
import TestSupport

/// `packhouse review`, as people type it.
@Suite(.waits) struct ReviewVerbTests {
  private struct Shell {
    let daemon: TestDaemon
    let authority: String
    let reviewer: String
    let app: String

    init(_ policy: String) throws {
      daemon = try TestDaemon.service()
      authority = try daemon.folder.write("ca.pem", daemon.authorityPEM)
      reviewer = try TestDaemon.makeToken(.reviewer, state: daemon.state)
      let admin = daemon.admin()
      app = try admin.app()
      _ = try admin.update("apps", app, ["reviewPolicy": policy]).expect(200)
    }

    func push(_ id: String, _ text: String) throws {
      _ = try daemon.admin().push(id, try Packs.make(id, Array(text.utf8)), app: app)
    }

    func run(_ words: String..., asReviewer: Bool = false) throws -> (
      exit: ChildProcess.Exit, text: String, errors: String
    ) {
      let environment = [
        "PACKHOUSE_SERVER": daemon.adminBase, "PACKHOUSE_TOKEN": asReviewer ? reviewer : daemon.token,
        "PACKHOUSE_CA": authority,
      ]
      let process = try ChildProcess(
        ChildProcess.packhouse, ["review"] + words, environment: environment,
        errorPath: daemon.folder.file("verb-\(UUID().uuidString)"))
      let output = try process.rest()
      return (try process.finish(), output, process.errors)
    }

    func live(_ track: String) throws -> [String] {
      let tracks = try daemon.admin().get("/v1/apps/\(app)/tracks").resources
      return (tracks.first { $0.id == track }?.list("packs") ?? []).map {
        "\($0["assetPackIdentifier"] ?? "")@\($0["version"] ?? "")"
      }
    }
  }

  @Test func submitRejectSubmitAgainApprove() throws {
    let shell = try Shell("fourEyes")
    let app = TestDaemon.app
    try shell.push("a", "1")
    try shell.push("b", "1")
    let submitted = try shell.run("submit", "--app", app, "--track", "production", "a", "b@1", "--json")
    #expect(submitted.exit == .code(0), "\(submitted.errors)")
    let object = try JSONSerialization.jsonObject(with: Data(submitted.text.utf8)) as? [String: Any]
    let id = try #require(object?["id"] as? String)
    #expect(object?["state"] as? String == "WAITING_FOR_REVIEW")
    let list = try shell.run("list", "--app", app)
    #expect(list.text.hasPrefix("SUBMISSION"))
    #expect(list.text.contains("\(id)  production  WAITING_FOR_REVIEW") && list.text.contains("a@1, b@1"))
    let own = try shell.run("approve", "--app", app, "--track", "production")
    #expect(own.exit == .code(77))
    #expect(own.errors.contains("somebody else") && own.errors.contains("REVIEWER_IS_SUBMITTER"))
    let wordless = try shell.run("reject", "--app", app, "--track", "production", "a", asReviewer: true)
    #expect(wordless.exit == .code(64))
    let rejected = try shell.run(
      "reject", "--app", app, "--track", "production", "a", "--reason", "too loud", asReviewer: true)
    #expect(rejected.exit == .code(0), "\(rejected.errors)")
    #expect(rejected.text.contains("REJECTED") && rejected.text.contains("too loud"))
    let accepted = try shell.run("approve", "--app", app, "--track", "production", "b", asReviewer: true)
    #expect(accepted.text.contains("UNRESOLVED_ISSUES") && accepted.text.contains("ACCEPTED"), "\(accepted)")
    let again = try shell.run("submit", "--submission", id)
    #expect(again.exit == .code(0), "\(again.errors)")
    let approved = try shell.run("approve", "--submission", id, "--reason", "better", asReviewer: true)
    #expect(approved.exit == .code(0), "\(approved.errors)")
    #expect(approved.text.hasPrefix("\(id) for production: COMPLETE, submitted by admin\n"))
    #expect(try shell.live("production") == ["a@1", "b@1"])
    let shown = try shell.run("show", id)
    for word in ["reviewer", "reject", "too loud", "a@1", "all", "better"] { #expect(shown.text.contains(word)) }
    #expect(try shell.run("list", "--app", app).text == "Nothing is in review.\n")
    #expect(try shell.run("list", "--app", app, "--all").text.contains(id))
  }

  @Test func withdrawFreesAndAFailedSubmitLeavesNothingBehind() throws {
    let shell = try Shell("required")
    let app = TestDaemon.app
    try shell.push("a", "1")
    try shell.push("b", "1")
    #expect(try shell.run("submit", "--app", app, "--track", "beta", "a").exit == .code(0))
    let twice = try shell.run("submit", "--app", app, "--track", "beta", "b", "a")
    #expect(twice.exit == .code(65))
    #expect(twice.errors.contains("REVIEW_IN_PROGRESS"))
    // The draft that could not be filled does not keep b.
    #expect(try shell.run("submit", "--app", app, "--track", "beta", "b").exit == .code(0))
    let unclear = try shell.run("withdraw", "--app", app, "--track", "beta")
    #expect(unclear.exit == .code(64))
    #expect(unclear.errors.contains("--submission"))
    let withdrawn = try shell.run("withdraw", "--app", app, "--track", "beta", "a", "--reason", "not yet")
    #expect(withdrawn.exit == .code(0), "\(withdrawn.errors)")
    #expect(withdrawn.text.contains("COMPLETE") && withdrawn.text.contains("REMOVED"))
    #expect(try shell.run("approve", "--app", app, "--track", "beta", "b", asReviewer: true).exit == .code(0))
    #expect(try shell.live("beta") == ["b@1"])
    #expect(try shell.run("submit", "--app", app, "--track", "internal", "a").exit == .code(64))
    #expect(try shell.run("submit", "--app", app, "--track", "beta").exit == .code(64))
    #expect(try shell.run("submit", "--app", app, "--track", "beta", "nothing").exit == .code(65))
  }

  @Test func aRejectedBetaVersionGivesWayToTheNext() throws {
    let shell = try Shell("required")
    let app = TestDaemon.app
    try shell.push("a", "1")
    try shell.push("b", "1")
    let submitted = try shell.run("submit", "--app", app, "--track", "beta", "a", "b", "--json")
    let object = try JSONSerialization.jsonObject(with: Data(submitted.text.utf8)) as? [String: Any]
    let id = try #require(object?["id"] as? String)
    _ = try shell.run("approve", "--submission", id, "b", asReviewer: true)
    _ = try shell.run("reject", "--submission", id, "a", "--reason", "no", asReviewer: true)
    let early = try shell.run("submit", "--submission", id)
    #expect(early.exit == .code(65) && early.errors.contains("push a new version"))
    try shell.push("a", "2")
    let again = try shell.run("submit", "--submission", id)
    #expect(again.exit == .code(0), "\(again.errors)")
    #expect(again.text.contains("a@1") && again.text.contains("a@2"))
    #expect(try shell.run("approve", "--submission", id, asReviewer: true).exit == .code(0))
    #expect(try shell.live("beta") == ["a@2", "b@1"])
  }

  @Test func whatIsLiveOnOneTrackIsPromotedToTheNext() throws {
    let shell = try Shell("none")
    let app = TestDaemon.app
    try shell.push("a", "1")
    try shell.push("b", "1")
    #expect(try shell.run("submit", "--app", app, "--track", "beta", "--from", "internal").exit == .code(0))
    #expect(try shell.live("beta") == ["a@1", "b@1"])
    try shell.push("b", "2")
    #expect(try shell.run("submit", "--app", app, "--track", "beta", "--from", "internal").exit == .code(0))
    #expect(try shell.run("submit", "--app", app, "--track", "production", "--from", "beta").exit == .code(0))
    #expect(try shell.live("production") == ["a@1", "b@2"])
    #expect(try shell.run("submit", "--app", app, "--track", "production", "--from", "beta").exit == .code(65))
  }
}
