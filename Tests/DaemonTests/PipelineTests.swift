import Foundation
import Testing
import TestSupport

/// What a release pipeline does with the command line alone.
@Suite(.waits) struct PipelineTests {
  private struct Pipeline {
    let daemon: TestDaemon
    let environment: [String: String]

    init() throws {
      daemon = try TestDaemon.service()
      let authority = try daemon.folder.write("ca.pem", daemon.authorityPEM)
      environment = [
        "PACKHOUSE_SERVER": daemon.adminBase, "PACKHOUSE_TOKEN": daemon.token, "PACKHOUSE_CA": authority,
      ]
      _ = try daemon.admin().app()
    }

    /// Runs a verb: its exit, the JSON that it printed, its messages.
    func run(_ words: String...) throws -> (exit: ChildProcess.Exit, json: [String: Any], errors: String) {
      try run(words)
    }

    func run(_ words: [String]) throws -> (exit: ChildProcess.Exit, json: [String: Any], errors: String) {
      let process = try ChildProcess(
        ChildProcess.packhouse, words, environment: environment,
        errorPath: daemon.folder.file("verb-\(UUID().uuidString)"))
      let output = try process.rest()
      let exit = try process.finish()
      let object = (try? JSONSerialization.jsonObject(with: Data(output.utf8))) as? [String: Any]
      return (exit, object ?? [:], process.errors)
    }

    func pack(_ content: String) throws -> String {
      try daemon.folder.write("level/data.txt", content)
      let manifest = try daemon.folder.write(
        "Manifest.json",
        #"{"assetPackID":"level-1","downloadPolicy":{"onDemand":{}},"fileSelectors":[{"directory":"level"}],"#
          + #""platforms":["iOS"],"sourceRoot":"."}"#)
      let archive = daemon.folder.file("level-1.aar")
      let made = try run("pack", "package", manifest, "-o", archive, "--force", "--json")
      guard made.exit == .code(0) else { throw Failure(made.errors) }
      return archive
    }
  }

  @Test func aPushThatWasCutOffGoesOnWhenItIsAskedTo() throws {
    let pipeline = try Pipeline()
    let app = TestDaemon.app
    let bytes = try Packs.make("p", Packs.noise(300_000))
    let other = try Packs.make("p", Packs.noise(300_000))
    #expect(bytes.count == other.count)
    let archive = try pipeline.daemon.folder.write("p.aar", bytes)
    let admin = pipeline.daemon.admin()
    let pack = try admin.pack("p", app: try admin.app())
    // Two were cut off: the newer one is of another file.
    var cut: [String] = []
    for content in [bytes, other] {
      let version = try admin.version(pack: pack)
      let upload = try admin.reserve(version: version.id, size: content.count)
      for index in [0, 2] { _ = try admin.put(upload.parts[index], of: content).expect(200) }
      cut.append(version.id)
    }
    let resumed = try pipeline.run("push", archive, "--app", app, "--resume", "--wait", "--json")
    #expect(resumed.exit == .code(0), "\(resumed.errors)")
    #expect(resumed.json["versionId"] as? String == cut[0])
    #expect(resumed.json["state"] as? String == "COMPLETE")
    #expect(resumed.errors.contains("resumes after 131072 bytes"))
    // Without being asked to, a push is a version of its own.
    let fresh = try pipeline.daemon.folder.write("q.aar", other)
    let pushed = try pipeline.run("push", fresh, "--app", app, "--wait", "--json")
    #expect(pushed.json["version"] as? Int == 3)
    #expect(pushed.json["state"] as? String == "COMPLETE")
  }

  @Test func aPushWaitsForADaemonThatStartsAgain() throws {
    let pipeline = try Pipeline()
    let daemon = pipeline.daemon
    let archive = try daemon.folder.write("p.aar", try Packs.make("p", Packs.noise(3_000_000)))
    let admin = daemon.admin()
    let pack = try admin.pack("p", app: try admin.app())
    let words = ["push", archive, "--app", TestDaemon.app, "--wait", "--quiet"]
    let push = try ChildProcess(
      ChildProcess.packhouse, words, environment: pipeline.environment, errorPath: daemon.folder.file("push"))
    // From the commit on; before it, parts are sent again.
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
      let versions = try admin.get("/v1/backgroundAssets/\(pack)/versions").expect(200).resources
      if let state = versions.first?.text("state"), state != "AWAITING_UPLOAD" { break }
      guard ContinuousClock.now < deadline else { throw Failure("nothing was committed within 60 s") }
    }
    try daemon.kill()
    try daemon.start()
    #expect(try push.finish() == .code(0), "\(push.errors)")
  }

  @Test func aReleaseThatTakesAPackAwaySaysHowToMeanIt() throws {
    let pipeline = try Pipeline()
    let admin = pipeline.daemon.admin()
    let app = try admin.app()
    for platforms in [["iOS", "macOS"], ["iOS"]] {
      _ = try admin.push("p", try Packs.make("p", Packs.noise(100), platforms: platforms), app: app)
      if platforms.count == 2 { _ = try admin.release([("p", nil)], app: app).expect(201) }
    }
    _ = try admin.push("q", try Packs.make("q", platforms: ["iOS", "macOS"]), app: app)
    let words = ["release", "--app", TestDaemon.app, "--track", "production", "p", "q"]
    let refused = try pipeline.run(words)
    #expect(refused.exit == .code(65))
    #expect(refused.errors.contains("(MANIFEST_WOULD_SHRINK)"))
    #expect(refused.errors.contains("--confirm-removal PACK"))
    #expect(try pipeline.run(words + ["--confirm-removal", "p"]).exit == .code(0))
  }

  @Test func packPushReleaseAndStatus() throws {
    let pipeline = try Pipeline()
    let app = TestDaemon.app
    for (content, version) in [("one", "1"), ("two", "2")] {
      let archive = try pipeline.pack(content)
      let pushed = try pipeline.run("push", archive, "--app", app, "--wait", "--json")
      #expect(pushed.exit == .code(0), "\(pushed.errors)")
      // The same bytes again are the same version.
      let again = try pipeline.run("push", archive, "--app", app, "--wait", "--json")
      #expect(again.exit == .code(0), "\(again.errors)")
      let released = try pipeline.run("release", "--app", app, "--track", "production", "level-1", "--json")
      #expect(released.exit == .code(0), "\(released.errors)")
      let manifest = try pipeline.daemon.client().get(pipeline.daemon.manifestPath).expect(200)
      let packs = manifest.json["assetPacks"] as? [[String: Any]]
      #expect(packs?.count == 1)
      #expect(packs?.first?["version"] as? Int == Int(version))
      let bytes = try pipeline.daemon.client().get("/apps/\(app)/packs/\(version)/level-1").expect(200).body
      #expect(bytes == [UInt8](try Data(contentsOf: URL(fileURLWithPath: archive))))
    }
    let status = try pipeline.run("status", "--app", app, "--json")
    #expect(status.exit == .code(0), "\(status.errors)")
    #expect("\(status.json)".contains("level-1"))
  }

  @Test func refusalsHaveTheirExitCodes() throws {
    let pipeline = try Pipeline()
    let app = TestDaemon.app
    let bad = try pipeline.daemon.folder.write("bad.aar", "no archive")
    #expect(try pipeline.run("push", bad, "--app", app, "--wait").exit == .code(65))
    #expect(try pipeline.run("push", bad, "--app", app, "--pack", "p", "--wait").exit == .code(65))
    #expect(try pipeline.run("push", pipeline.daemon.folder.file("none.aar"), "--app", app).exit == .code(66))
    #expect(try pipeline.run("push", "--app", app).exit == .code(64))
    let nothing = try pipeline.run("release", "--app", app, "--track", "production", "nothing")
    #expect(nothing.exit == .code(65))
    #expect(nothing.errors.contains("nothing"))
    let stranger = try pipeline.run("status", "--app", app, "--token", "ph_x")
    #expect([.code(64), .code(77)].contains(stranger.exit))
    #expect(try pipeline.run("status", "--app", "com.example.none").exit == .code(65))
    try pipeline.daemon.stop()
    let gone = try pipeline.run("status", "--app", app)
    #expect(gone.exit == .code(69))
    #expect(gone.errors.contains("\(pipeline.daemon.adminPort)"))
  }

  @Test func aTokenOfTheCommandLineGetsIn() throws {
    let daemon = try TestDaemon.service()
    let words = ["token", "create", "--config", daemon.folder.file("packhouse.json"), "--role", "publisher", "--json"]
    let process = try ChildProcess(ChildProcess.packhouse, words, errorPath: daemon.folder.file("verb"))
    let output = try process.rest()
    #expect(try process.finish() == .code(0))
    let object = try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
    let client = daemon.admin()
    client.token = object["token"] as? String
    #expect(try client.get("/v1/apps").status == 200)
    #expect(try client.create("apps", ["bundleId": "com.example.x"]).status == 403)
  }
}
