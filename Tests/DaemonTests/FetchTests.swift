import Foundation
import Testing
import TestSupport

/// The client against the daemon: both as programs, over TLS.
@Suite(.waits) struct FetchTests {
  private let daemon: TestDaemon
  private let app: String
  private let admin: AdminClient

  init() throws {
    daemon = try TestDaemon.service()
    try daemon.folder.write("ca.pem", daemon.authorityPEM)
    admin = daemon.admin()
    app = try admin.app()
  }

  private var manifest: String { daemon.clientBase + daemon.manifestPath }

  private func start(_ words: [String], prefix: [String] = []) throws -> ChildProcess {
    let all =
      prefix + [ChildProcess.packhouse, "fetch"] + words + [
        "--manifest", manifest, "--cache", daemon.folder.file("cache"), "--ca", daemon.folder.file("ca.pem"),
      ]
    return try ChildProcess(all[0], Array(all.dropFirst()), errorPath: daemon.folder.file("fetch-errors"))
  }

  private struct Outcome {
    let exit: ChildProcess.Exit
    let output: String
    let errors: String
    var json: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(output.utf8))) as? [String: Any] ?? [:] }
    func ids(_ key: String) -> [String]? { json[key] as? [String] }
  }

  private func fetch(_ words: String..., prefix: [String] = []) throws -> Outcome {
    try? FileManager.default.removeItem(atPath: daemon.folder.file("fetch-errors"))
    let process = try start(words, prefix: prefix)
    let output = try process.rest()
    return Outcome(exit: try process.finish(), output: output, errors: process.errors)
  }

  private func release(_ id: String, _ content: [UInt8], version: String = "1") throws {
    let pushed = try admin.push(id, try Packs.make(id, content, version: version), app: app)
    #expect(pushed.text("state") == "COMPLETE")
    _ = try admin.release([(id, nil)], app: app).expect(201)
  }

  @Test func aClientsLife() throws {
    // Archives whose own manifest says that they are on demand: the policy is the pack's.
    try release("alpha", Packs.noise(50_000))
    var first = try fetch("ensure", "alpha", "--json")
    #expect(first.exit == .code(0), "\(first.errors)")
    #expect(try fetch("read", "d/version.txt").output == "1")
    try release("beta", Packs.noise(50_000))
    #expect(try fetch("updates", "--json").ids("updated") == [])
    try release("alpha", Packs.noise(60_000), version: "2")
    let updates = try fetch("updates", "--json", "--progress")
    #expect(updates.ids("updated") == ["alpha"])
    #expect(updates.errors.contains(#""event":"finished","id":"alpha","version":2"#), "\(updates.errors)")
    #expect(try fetch("read", "d/version.txt").output == "2")
    let status = try fetch("status").output
    #expect(status.contains("alpha: upToDate, downloaded (version 2 is here, version 2 in the manifest)"), "\(status)")
    #expect(status.contains("beta: downloadAvailable (not here, version 1 in the manifest)"), "\(status)")
    first = try fetch("remove", "alpha")
    #expect(first.exit == .code(0))
    #expect(try fetch("read", "d/version.txt").exit == .code(66))
  }

  @Test func withoutTheServerLocalPacksGoOnWorking() throws {
    try release("alpha", Packs.noise(1000))
    #expect(try fetch("ensure", "alpha").exit == .code(0))
    try daemon.stop()
    let outcome = try fetch("updates", "--attempts", "1")
    #expect(outcome.exit == .code(69))
    #expect(outcome.errors.contains("Nothing listens"), "\(outcome.errors)")
    #expect(try fetch("read", "d/version.txt").output == "1")
    #expect(try fetch("status", "--offline").output.hasPrefix("alpha: upToDate, downloaded"))
  }

  @Test func aKilledDownloadIsFinishedByTheNextRun() throws {
    let content = Packs.noise(3_000_000)
    try release("alpha", content)
    for delay in 0..<6 {
      let process = try start(["ensure", "alpha", "--progress", "--json"])
      // Killed at a moment that the download itself gives, a later one each time.
      let errors = process.errorPath
      let wanted = #""completed":\#(delay * 3)"#
      let deadline = ContinuousClock.now + .seconds(60)
      while !((try? String(contentsOfFile: errors, encoding: .utf8))?.contains(wanted) ?? false), .now < deadline {
        if process.hasEnded { break }
        usleep(500)
      }
      process.send(SIGKILL)
      try process.finish()
      try? FileManager.default.removeItem(atPath: errors)
    }
    let outcome = try fetch("ensure", "alpha")
    #expect(outcome.exit == .code(0), "\(outcome.errors)")
    let read = daemon.folder.file("cache/packs")
    let files = FileManager.default.enumerator(atPath: read)?.compactMap { $0 as? String } ?? []
    let data = try #require(files.first { $0.hasSuffix("files/d/data.bin") })
    #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(read)/\(data)"))) == content)
    #expect(try FileManager.default.contentsOfDirectory(atPath: daemon.folder.file("cache/staging")) == [])
    #expect(!FileManager.default.fileExists(atPath: daemon.folder.file("cache/downloads/alpha.partial")))
  }

  @Test func aFullDiskIsNamedAndTheNextRunGoesOn() throws {
    try release("alpha", Packs.noise(1_000_000))
    // Files of at most 512 KiB, as a disk that is full in the middle of the download.
    let limited = ["/bin/sh", "-c", "ulimit -f 1024; exec \"$@\"", "sh"]
    let outcome = try fetch("ensure", "alpha", prefix: limited)
    #expect(outcome.exit == .code(73), "\(outcome.errors)")
    #expect(outcome.errors.contains("Make room and try again"), "\(outcome.errors)")
    #expect(try fetch("ensure", "alpha").exit == .code(0))
    #expect(try fetch("read", "d/version.txt").output == "1")
  }

  @Test func aCertificateThatIsNotTrustedIsNamed() throws {
    try release("alpha", Packs.noise(1000))
    let other = try TestAuthority()
    try daemon.folder.write("ca.pem", other.authority.certificatePEM)
    let outcome = try fetch("ensure", "alpha")
    #expect(outcome.exit == .code(69))
    #expect(outcome.errors.contains("is not signed by a trusted authority"), "\(outcome.errors)")
  }

  @Test func theCommandLineIsChecked() throws {
    #expect(try fetch("sync").exit == .code(64))
    #expect(try fetch("sync", "--event", "christmas").exit == .code(64))
    #expect(try fetch("ensure", "a", "--budget", "much").exit == .code(64))
    #expect(try fetch("ensure", "nothing").exit == .code(69), "nothing is released yet")
    try release("alpha", Packs.noise(1000))
    #expect(try fetch("ensure", "nothing").exit == .code(66))
    let domain = try fetch("updates", "--domain", "other.example.com")
    #expect(domain.exit == .code(77), "\(domain.errors)")
    #expect(domain.errors.contains("BADownloadDomainAllowList"), "\(domain.errors)")
  }
}
