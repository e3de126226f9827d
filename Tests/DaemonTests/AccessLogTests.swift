import Foundation
import Testing
import TestSupport

@Suite(.waits) struct AccessLogTests {
  private func lines(_ daemon: TestDaemon, _ path: String, of targets: [String]) throws -> [[String: Any]] {
    let deadline = ContinuousClock.now + .seconds(20)
    while true {
      let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      // A line that is still being written has no end yet.
      let whole = text.hasSuffix("\n") ? text : String(text[..<(text.lastIndex(of: "\n") ?? text.startIndex)])
      let all = try whole.split(separator: "\n").map { line in
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      }
      let found = Set(all.compactMap { $0["target"] as? String })
      if found.isSuperset(of: targets) { return all }
      guard ContinuousClock.now < deadline else { throw Failure("not every request of \(targets) is in \(text)") }
      usleep(50_000)
    }
  }

  @Test func aLineSaysWhatWasDelivered() throws {
    let log = "/tmp/ph-log-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: log) }
    let daemon = try TestDaemon.service(settings: "accessLog: \"\(log)\",") { _, _ in
      ("trustedProxies: [\"127.0.0.1\"],", "")
    }
    let admin = daemon.admin()
    let app = try admin.app()
    _ = try admin.push("p", try Packs.make("p"), app: app)
    _ = try admin.release([("p", nil)], app: app).expect(201)
    let web = daemon.client()
    _ = try web.get("/apps/\(TestDaemon.app)/packs/1/p", [("Range", "bytes=0-9"), ("X-Forwarded-For", "192.0.2.7")])
    _ = try web.get(daemon.manifestPath)
    _ = try web.get("/manifest")
    _ = try web.get("/nothing")
    let broken = try daemon.raw()
    try broken.send("nonsense\r\n\r\n")
    _ = try broken.answer()
    // How often the pipeline above has asked for a version's state depends on the machine.
    let targets = ["/apps/\(TestDaemon.app)/packs/1/p", daemon.manifestPath, "/manifest", "/nothing", ""]
    let all = try lines(daemon, log, of: targets)
    func line(_ target: String) throws -> [String: Any] {
      try #require(all.first { $0["target"] as? String == target }, "\(target)")
    }
    let pack = try line("/apps/\(TestDaemon.app)/packs/1/p")
    #expect(pack["app"] as? String == TestDaemon.app)
    #expect(pack["pack"] as? String == "p")
    #expect(pack["version"] as? Int == 1)
    #expect(pack["track"] == nil)
    #expect(pack["client"] as? String == "192.0.2.7")
    #expect(pack["status"] as? Int == 206 && pack["bytes"] as? Int == 10 && pack["complete"] as? Bool == true)
    for target in [daemon.manifestPath, "/manifest"] {
      let manifest = try line(target)
      #expect(manifest["app"] as? String == TestDaemon.app)
      #expect(manifest["track"] as? String == "production")
      #expect(manifest["pack"] == nil)
      #expect(manifest["client"] as? String == "127.0.0.1")
    }
    let uploads = all.compactMap { $0["target"] as? String }.filter { $0.hasPrefix("/uploads/") }
    #expect(!uploads.isEmpty && uploads.allSatisfy { $0.hasSuffix("&signature=*") }, "\(uploads)")
    #expect(try line("/nothing")["app"] == nil)
    #expect(try line("")["status"] as? Int == 400)
  }
}
