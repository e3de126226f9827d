import Foundation
import Testing
import TestSupport

/// Rollout, lane, explanation and rollback, as a publisher and as devices see them.
@Suite(.waits) struct TrackTests {
  private struct Server {
    let daemon: TestDaemon
    let admin: AdminClient
    let web: WebClient
    let app: String

    init() throws {
      daemon = try TestDaemon.service()
      admin = daemon.admin()
      web = daemon.client()
      app = try admin.app()
    }

    func push(_ text: String) throws -> [UInt8] {
      let bytes = try Packs.make("p", Array(text.utf8))
      let version = try admin.push("p", bytes, app: app)
      guard version.text("state") == "COMPLETE" else { throw Failure("\(version.json)") }
      return bytes
    }

    /// The version of the pack that a client gets.
    func version(key: String? = nil, lane: String? = nil) throws -> Int? {
      let path = lane.map { "/apps/\(TestDaemon.app)/production/lanes/\($0)/manifest.json" } ?? daemon.manifestPath
      let answer = try web.get(path, key.map { [("Packhouse-Client-Key", $0)] } ?? []).expect(200)
      let packs = answer.json["assetPacks"] as? [[String: Any]] ?? []
      return packs.first?["version"] as? Int
    }

    func roll(_ percent: Any) throws -> Answer {
      try admin.create(
        "rollouts", ["track": "production", "packs": [["assetPackIdentifier": "p"]], "percent": percent],
        ("app", "apps", app))
    }

    /// What `explain` says that a client gets.
    func explained(key: String) throws -> Int? {
      let answer = try admin.get("/v1/apps/\(app)/explain?track=production&clientKey=\(key)").expect(200)
      let pack = answer.resource.list("packs").first
      return (pack?["version"] as? String).flatMap { Int($0) }
    }
  }

  @Test func aRolloutGrowsIsExplainedAndRolledBackWhileALaneStays() throws {
    let server = try Server()
    let first = try server.push("one")
    _ = try server.admin.release([("p", nil)], app: server.app).expect(201)
    let lane = try server.admin.create(
      "lanes",
      ["track": "production", "name": "1.x", "packs": [["assetPackIdentifier": "p", "version": "1"]]],
      ("app", "apps", server.app)
    ).expect(201).resource
    _ = try server.push("two")
    let rollout = try server.roll(10).expect(201).resource
    #expect(rollout.text("state") == "RUNNING")

    let keys = (0..<200).map { "client-\($0)" }
    var reached: Set<String> = []
    for percent in [10, 50, 100] {
      if percent > 10 {
        _ = try server.admin.update("rollouts", rollout.id, ["percent": percent]).expect(200)
      }
      var now: Set<String> = []
      for key in keys {
        let version = try server.version(key: key)
        #expect(try server.explained(key: key) == version)
        if version == 2 { now.insert(key) }
      }
      #expect(reached.isSubset(of: now))
      #expect(abs(now.count - 2 * percent) < 45)
      reached = now
    }
    #expect(reached.count == keys.count)
    let answer = try server.web.get(server.daemon.manifestPath)
    #expect(answer.fields["cache-control"] == "private, no-cache")
    #expect(answer.fields["vary"] == "Accept-Encoding, Packhouse-Client-Key")
    #expect(try server.version(lane: "1.x") == 1)

    let busy = try server.admin.create(
      "rollbacks", ["track": "production", "assetPackIdentifier": "p"], ("app", "apps", server.app))
    #expect(busy.status == 409 && busy.code == "ROLLOUT_RUNNING")
    let done = try server.admin.update("rollouts", rollout.id, ["state": "finish"]).expect(200).resource
    #expect(done.text("state") == "FINISHED")
    #expect(try server.version() == 2)
    #expect(try server.web.get(server.daemon.manifestPath).fields["cache-control"] == "no-cache")

    let back = try server.admin.create(
      "rollbacks", ["track": "production", "assetPackIdentifier": "p"], ("app", "apps", server.app)
    ).expect(201).resource
    #expect(back.text("version") == "3" && back.text("sourceVersion") == "1" && back.text("previousVersion") == "2")
    #expect(try server.version() == 3)
    #expect(try server.web.get("/apps/\(TestDaemon.app)/packs/3/p").expect(200).body == first)
    #expect(try server.version(lane: "1.x") == 1)

    // All of it is there after a start.
    try server.daemon.stop()
    try server.daemon.start()
    let web = server.daemon.client()
    #expect(try web.get("/apps/\(TestDaemon.app)/packs/3/p").expect(200).body == first)
    #expect(
      try web.get("/apps/\(TestDaemon.app)/production/lanes/1.x/manifest.json").expect(200).text.contains("/packs/1/p"))
    _ = try server.daemon.admin().send("DELETE", "/v1/lanes/\(lane.id)").expect(204)
    let gone = try web.get("/apps/\(TestDaemon.app)/production/lanes/1.x/manifest.json")
    #expect(gone.status == 404 && gone.text.contains("no such lane"))
  }

  @Test func percentagesThatAreNoneAreRefusedWithTheirPlace() throws {
    let server = try Server()
    _ = try server.push("one")
    let early = try server.roll(10)
    #expect(early.status == 409 && early.code == "NOTHING_TO_GO_BACK_TO")
    _ = try server.admin.release([("p", nil)], app: server.app).expect(201)
    _ = try server.push("two")
    for percent in [0.1, 101, -1, "10", NSNull()] as [Any] {
      let answer = try server.roll(percent)
      #expect(answer.status == 422, "\(percent)")
      #expect(answer.pointer == "/data/attributes/percent", "\(percent)")
    }
    let rollout = try server.roll(20).expect(201).resource
    let second = try server.roll(20)
    #expect(second.status == 409 && second.code == "ROLLOUT_RUNNING")
    let lower = try server.admin.update("rollouts", rollout.id, ["percent": 19])
    #expect(lower.status == 409 && lower.code == "VERSION_WOULD_FALL")
    #expect(lower.pointer == "/data/attributes/percent")
    let stopped = try server.admin.update("rollouts", rollout.id, ["state": "stop"]).expect(200).resource
    #expect(stopped.text("state") == "STOPPED")
    #expect(try server.version(key: "anybody") == 3)
    let list = try server.admin.get("/v1/apps/\(server.app)/rollouts?filter%5Bstate%5D=STOPPED").expect(200)
    #expect(list.resources.map(\.id) == [rollout.id])
  }

  @Test func theProgramDoesAllOfItFromTheCommandLine() throws {
    let server = try Server()
    _ = try server.push("one")
    _ = try server.admin.release([("p", nil)], app: server.app).expect(201)
    _ = try server.push("two")
    let authority = try server.daemon.folder.write("authority.pem", server.daemon.authorityPEM)
    func run(_ words: String...) throws -> String {
      let process = try ChildProcess(
        ChildProcess.packhouse, words + ["--app", TestDaemon.app],
        environment: [
          "PACKHOUSE_SERVER": server.daemon.adminBase, "PACKHOUSE_TOKEN": server.daemon.token,
          "PACKHOUSE_CA": authority,
        ], errorPath: server.daemon.folder.file("command"))
      var text = ""
      while let line = try process.line() { text += line + "\n" }
      guard try process.finish() == .code(0) else { throw Failure("\(words): \(text)\(process.errors)") }
      return text
    }
    #expect(try run("lane", "set", "1.x", "p@1", "--track", "production").contains("p stays at version 1"))
    #expect(try run("rollout", "start", "p", "--track", "production", "--percent", "0").contains("RUNNING  0 %"))
    #expect(try run("explain", "--track", "production", "--client-key", "k").contains("only 0 percent: version 1"))
    #expect(try run("explain", "--track", "production", "--lane", "1.x").contains("The lane keeps p at version 1"))
    #expect(try run("rollout", "change", "--track", "production", "--percent", "100").contains("100 %"))
    #expect(try run("rollout", "change", "--track", "production", "--finish", "--json").contains("\"FINISHED\""))
    #expect(try run("rollback", "p", "--track", "production").contains("p version 3, a copy of version 1"))
    #expect(try run("lane", "list").contains("/lanes/1.x/manifest.json"))
    #expect(try run("lane", "set", "1.x", "--follow", "p", "--track", "production").contains("1.x"))
    #expect(try server.version(lane: "1.x") == 3)
    _ = try run("lane", "remove", "1.x", "--track", "production")
    #expect(try run("lane", "list") == "The app has no lanes.\n")
    #expect(try run("rollout", "list").contains("FINISHED"))
  }
}
