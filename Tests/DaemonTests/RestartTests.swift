import Foundation
import Testing
import TestSupport

/// What is there after the daemon ended, in order or not.
@Suite(.waits) struct RestartTests {
  private enum End: CaseIterable { case termination, kill }

  private func end(_ daemon: TestDaemon, _ end: End) throws {
    switch end {
    case .termination: try daemon.stop()
    case .kill: try daemon.kill()
    }
  }

  /// All that devices can see: manifests of all platforms, and each pack.
  private func visible(_ daemon: TestDaemon, packs: [String]) throws -> [String: Answer] {
    let web = daemon.client()
    var answers: [String: Answer] = [:]
    let targets =
      ["", "?platform=iOS", "?platform=macOS"].map { daemon.manifestPath + $0 } + ["/manifest"]
      + packs.map { "/apps/\(TestDaemon.app)/packs/\($0)" }
    for target in targets { answers[target] = try web.get(target) }
    return answers
  }

  @Test(arguments: End.allCases) private func theSameBytesStandBehindTheSameURLs(_ end: End) throws {
    let daemon = try TestDaemon.service()
    let admin = daemon.admin()
    let app = try admin.app()
    for text in ["1", "2"] {
      _ = try admin.push("p", try Packs.make("p", Array(text.utf8)), app: app)
      _ = try admin.push("q", try Packs.make("q", Packs.noise(100_000), platforms: ["iOS", "macOS"]), app: app)
      _ = try admin.release([("p", nil), ("q", nil)], app: app).expect(201)
    }
    let packs = ["1/p", "2/p", "1/q", "2/q"]
    let before = try visible(daemon, packs: packs)
    let idle = try daemon.raw()
    try self.end(daemon, end)
    try daemon.start()
    let after = try visible(daemon, packs: packs)
    for (target, answer) in before {
      #expect(after[target]?.status == 200, "\(target)")
      #expect(after[target]?.body == answer.body, "\(target)")
      for name in ["etag", "last-modified", "content-length"] {
        #expect(after[target]?.fields[name] == answer.fields[name], "\(target) \(name)")
      }
    }
    // The token of before is good, and numbers go on where they were.
    #expect(try daemon.admin().push("p", try Packs.make("p", Array("3".utf8)), app: app).text("version") == "3")
    withExtendedLifetime(idle) {}
  }

  @Test(arguments: End.allCases) private func aDevelopmentServerKeepsThePortThatItWasGiven(_ end: End) throws {
    let folder = try TemporaryFolder()
    let pack = try folder.write("p.aar", try Packs.make("p"))
    func start() throws -> (ChildProcess, ReadyLine) {
      let words = [
        "dev", "--state", folder.file("s"), "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--json", pack,
      ]
      let process = try ChildProcess(ChildProcess.packhouse, words, errorPath: folder.file("errors"))
      return (process, try ReadyLine(process))
    }
    let (first, before) = try start()
    #expect(before.pid == Int(first.pid))
    first.send(end == .kill ? SIGKILL : SIGTERM)
    #expect(try first.finish() == (end == .kill ? .signal(SIGKILL) : .code(0)))
    let (second, after) = try start()
    #expect(after.manifestURL == before.manifestURL)
    #expect(after.overrideURL == before.overrideURL)
    #expect(after.adminURL == before.adminURL)
    #expect(after.token == before.token)
    second.send(SIGTERM)
    #expect(try second.finish() == .code(0))
  }

  @Test(arguments: End.allCases) private func aDevelopmentServerKeepsWhatWasReleasedOverTheAPI(_ end: End) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("p.aar", try Packs.make("p", Array("given".utf8)))
    let daemon = try TestDaemon.development([path], folder: folder)
    let admin = daemon.admin()
    let app = try #require(try admin.get("/v1/apps").expect(200).resources.first).id
    _ = try admin.push("p", try Packs.make("p", Array("pushed".utf8)), app: app)
    _ = try admin.release([("p", nil)], app: app).expect(201)
    let before = try daemon.client().get("/manifest").expect(200).body
    try self.end(daemon, end)
    try daemon.start()
    #expect(try daemon.client().get("/manifest").body == before)
    // Another file is another version; so is the first one, given again after that.
    for (text, version) in [("other", 3), ("given", 4)] {
      try self.end(daemon, end)
      try folder.write("p.aar", try Packs.make("p", Array(text.utf8)))
      try daemon.start()
      let packs = try daemon.client().get("/manifest").expect(200).json["assetPacks"] as? [[String: Any]]
      #expect(packs?.first?["version"] as? Int == version)
    }
  }

  @Test(arguments: End.allCases) private func partsThatWereAcknowledgedAreThereAndTheUploadGoesOn(_ end: End) throws {
    let daemon = try TestDaemon.service()
    var admin = daemon.admin()
    let app = try admin.app()
    let bytes = try Packs.make("p", Packs.noise(300_000))
    let version = try admin.version(pack: try admin.pack("p", app: app))
    let upload = try admin.reserve(version: version.id, size: bytes.count)
    for index in [0, 2, 4] { _ = try admin.put(upload.parts[index], of: bytes).expect(200) }
    let tags = try admin.upload(upload.id).parts.map(\.entityTag)
    // One more part is on its way when the daemon ends.
    let half = try RawConnection(port: daemon.adminPort, trust: daemon.trust)
    let target = upload.parts[1].url.replacing(daemon.adminBase, with: "")
    try half.send("PUT \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 65536\r\n\r\n")
    try half.send(Array(bytes[65536..<100_000]))
    if end == .kill { try daemon.kill() } else { daemon.process.send(SIGTERM) }
    if end == .termination {
      // Draining waits for the transfer; a client that goes away ends it.
      half.close()
      #expect(try daemon.process.finish() == .code(0))
    }
    try daemon.start()
    admin = daemon.admin()
    let found = try admin.upload(upload.id)
    #expect(found.parts.map(\.entityTag) == tags)
    #expect(tags.map { $0 != nil } == [true, false, true, false, true])
    let early = try admin.commit(found, hash: Packs.hash(bytes))
    #expect(early.status == 409)
    #expect(early.detail.contains("2, 4"))
    // The address of before is still good, too.
    _ = try admin.put(upload.parts[1], of: bytes).expect(200)
    _ = try admin.put(found.parts[3], of: bytes).expect(200)
    _ = try admin.commit(found, hash: Packs.hash(bytes)).expect(200)
    let done = try admin.wait(version: version.id)
    #expect(done.text("state") == "COMPLETE")
    #expect(done.text("sha256") == Packs.hash(bytes))
  }

  @Test func processingGoesOnByItselfAfterAKill() throws {
    let daemon = try TestDaemon.service(partSize: "8 MiB")
    let admin = daemon.admin()
    let app = try admin.app()
    // Several, so that at least one is still waiting when the daemon is killed.
    var waiting: [(id: String, hash: String)] = []
    for number in 1...4 {
      let bytes = try Packs.make("p\(number)", Packs.noise(3_000_000))
      waiting.append((try admin.send("p\(number)", bytes, app: app).id, Packs.hash(bytes)))
    }
    try daemon.kill()
    try daemon.start()
    let again = daemon.admin()
    for (id, hash) in waiting {
      let version = try again.wait(version: id)
      #expect(version.text("state") == "COMPLETE")
      #expect(version.text("sha256") == hash)
    }
    let names: [(String, String?)] = (1...4).map { ("p\($0)", nil) }
    _ = try again.release(names, app: app).expect(201)
    for (number, pack) in waiting.enumerated() {
      let answer = try daemon.client().get("/apps/\(TestDaemon.app)/packs/1/p\(number + 1)").expect(200)
      #expect(Packs.hash(answer.body) == pack.hash)
    }
  }

  @Test func aKillRightAfterAReleaseKeepsIt() throws {
    let daemon = try TestDaemon.service()
    let app = try daemon.admin().app()
    for number in 1...5 {
      let admin = daemon.admin()
      _ = try admin.push("p", try Packs.make("p", Array("\(number)".utf8)), app: app)
      _ = try admin.release([("p", nil)], app: app).expect(201)
      try daemon.kill()
      try daemon.start()
      let packs = try daemon.client().get(daemon.manifestPath).expect(200).json["assetPacks"] as? [[String: Any]]
      #expect(packs?.first?["version"] as? Int == number)
    }
  }
}
