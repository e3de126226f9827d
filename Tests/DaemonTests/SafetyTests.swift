import Foundation
import Testing
import TestSupport

/// Backups, restores and checks with the command line, beside the daemon that works.
@Suite(.waits) struct SafetyTests {
  private func run(_ daemon: TestDaemon, _ words: String...) throws -> (exit: ChildProcess.Exit, text: String) {
    let process = try ChildProcess(
      ChildProcess.packhouse, words, errorPath: daemon.folder.file("verb-\(UUID().uuidString)"))
    let output = try process.rest()
    return (try process.finish(), output)
  }

  private func json(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private func versions(_ daemon: TestDaemon) throws -> [String: Int] {
    let packs = try daemon.client().get(daemon.manifestPath).expect(200).json["assetPacks"] as? [[String: Any]] ?? []
    let pairs = packs.map { ($0["id"] as? String ?? "", $0["version"] as? Int ?? 0) }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  @Test func whatWasBackedUpComesBackAndNoNumberIsUsedTwice() throws {
    let daemon = try TestDaemon.service()
    let admin = daemon.admin()
    let app = try admin.app()
    let p = try Packs.make("p", Packs.noise(70_000))
    let q = try Packs.make("q", Packs.noise(90_000))
    for (id, bytes) in [("p", p), ("q", q)] { _ = try admin.push(id, bytes, app: app) }
    _ = try admin.release([("p", nil), ("q", nil)], app: app).expect(201)
    let folder = daemon.folder.file("backups")
    let first = try run(daemon, "backup", "--state", daemon.state, "--to", folder, "--json")
    #expect(first.exit == .code(0))
    #expect(try json(first.text)["copiedBlobs"] as? Int == 2)
    // What follows is lost with the machine.
    _ = try admin.push("p", try Packs.make("p", Packs.noise(80_000)), app: app)
    _ = try admin.release([("p", nil)], app: app).expect(201)
    #expect(try versions(daemon) == ["p": 2, "q": 1])
    try daemon.kill()
    try FileManager.default.moveItem(atPath: daemon.state, toPath: daemon.folder.file("lost"))

    let restored = try run(daemon, "restore", "--from", folder, "--to", daemon.state, "--json")
    #expect(restored.exit == .code(0))
    #expect(try json(restored.text)["blobs"] as? Int == 2)
    try daemon.start()
    #expect(try versions(daemon) == ["p": 1, "q": 1])
    let web = daemon.client()
    #expect(try web.get("/apps/\(TestDaemon.app)/packs/1/p").expect(200).body == p)
    #expect(try web.get("/apps/\(TestDaemon.app)/packs/1/q").expect(200).body == q)
    let next = try daemon.admin().push("p", try Packs.make("p", Packs.noise(60_000)), app: app)
    #expect(next.text("version") == "1002")
    // Never over something that is there.
    #expect(try run(daemon, "restore", "--from", folder, "--to", daemon.state).exit == .code(73))
    #expect(try run(daemon, "restore", "--from", daemon.folder.file("none"), "--to", folder + "2").exit == .code(66))
    try daemon.stop()
  }

  @Test func anEarlierBackupsPacksAreNotCopiedAgain() throws {
    let daemon = try TestDaemon.service()
    let admin = daemon.admin()
    let app = try admin.app()
    let folder = daemon.folder.file("backups")
    for (number, copied) in [(1, 1), (2, 1), (3, 1)] {
      _ = try admin.push("p", try Packs.make("p", Packs.noise(5000 + number)), app: app)
      let report = try json(
        try run(daemon, "backup", "--state", daemon.state, "--to", folder, "--keep", "2", "--json").text)
      #expect(report["copiedBlobs"] as? Int == copied)
      #expect(report["sharedBlobs"] as? Int == number - 1)
      #expect((report["dropped"] as? [String])?.count == (number == 3 ? 1 : 0))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/catalogs").count == 2)
    try daemon.stop()
  }

  @Test func damagedBytesAreNeverServedAndComeBackFromABackup() throws {
    let daemon = try TestDaemon.service()
    let admin = daemon.admin()
    let app = try admin.app()
    let bytes = try Packs.make("p", Packs.noise(70_000))
    _ = try admin.push("p", bytes, app: app)
    _ = try admin.release([("p", nil)], app: app).expect(201)
    let folder = daemon.folder.file("backups")
    #expect(try run(daemon, "backup", "--state", daemon.state, "--to", folder).exit == .code(0))
    #expect(try run(daemon, "verify", "--state", daemon.state).exit == .code(0))

    let hash = Packs.hash(bytes)
    let blob = "\(daemon.state)/blobs/\(hash.prefix(2))/\(hash)"
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: blob)
    let file = try #require(FileHandle(forWritingAtPath: blob))
    try file.seek(toOffset: 40_000)
    try file.write(contentsOf: Data([bytes[40_000] ^ 1]))
    try file.close()
    let path = "/apps/\(TestDaemon.app)/packs/1/p"
    let looked = try run(daemon, "verify", "--state", daemon.state, "--dry-run", "--json")
    #expect(looked.exit == .code(65))
    let damage = try #require((try json(looked.text)["damaged"] as? [[String: Any]])?.first)
    #expect(damage["sha256"] as? String == hash)
    #expect(damage["versions"] as? [String] == ["\(TestDaemon.app) p 1"])
    #expect(FileManager.default.fileExists(atPath: blob))

    #expect(try run(daemon, "verify", "--state", daemon.state).exit == .code(65))
    #expect(!FileManager.default.fileExists(atPath: blob))
    #expect(try answer(daemon, path, becomes: 503) == 503)
    #expect(try versions(daemon) == ["p": 1])

    #expect(try run(daemon, "verify", "--state", daemon.state, "--repair", folder).exit == .code(0))
    #expect(try answer(daemon, path, becomes: 200) == 200)
    #expect(try daemon.client().get(path).expect(200).body == bytes)
    #expect(try run(daemon, "verify", "--state", daemon.state).exit == .code(0))
    try daemon.stop()
  }

  /// The last status of a path, which is asked for until it has the wanted one; the daemon was told by a signal.
  private func answer(_ daemon: TestDaemon, _ path: String, becomes wanted: Int) throws -> Int {
    let web = daemon.client()
    let deadline = ContinuousClock.now + .seconds(30)
    while true {
      let status = try web.get(path).status
      if status == wanted || ContinuousClock.now > deadline { return status }
    }
  }
}
