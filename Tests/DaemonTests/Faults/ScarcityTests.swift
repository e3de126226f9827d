import Foundation
import TestSupport
import Testing

/// What runs out: descriptors, the disk, workers, the time of a certificate. Each is told, and ends by itself.
@Suite(.serialized, .waits) struct ScarcityTests {
  private func withPack(_ daemon: TestDaemon) throws -> [UInt8] {
    let admin = daemon.admin()
    let app = try admin.app()
    let pack = try Packs.make("p", Packs.noise(50_000), codec: .stored)
    _ = try admin.push("p", pack, app: app)
    _ = try admin.release([("p", nil)], app: app).expect(201)
    return pack
  }

  private func run(_ command: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  @Test func withoutDescriptorsClientsWaitAndThenAreServed() throws {
    let daemon = try TestDaemon.service()
    let pack = try withPack(daemon)
    let steady = SteadyClient(daemon, pack: pack, renews: 0)
    try steady.goesOn()
    let metrics = daemon.admin()
    let before = try PrometheusText(try metrics.get("/metrics").expect(200).body)
    let open = Int(before.value("process_open_fds") ?? 0)
    let limit = Int(before.value("process_max_fds") ?? 0)
    _ = try run("prlimit --pid \(daemon.process.pid) --nofile=\(open + 20):\(limit)")
    var crowd = try (0..<100).map { _ in try PlainConnection(port: daemon.port, from: "127.0.0.2") }
    for connection in crowd { connection.send([0x16]) }
    // Most of them are in nobody's hands now, and the client that is connected goes on.
    try steady.goesOn(200)
    crowd = []
    let deadline = ContinuousClock.now + .seconds(60)
    // Whoever comes while the last of the crowd go may still be sent away.
    var fresh: Answer?
    while fresh?.status != 200, ContinuousClock.now < deadline {
      fresh = try? daemon.client().get(daemon.manifestPath)
    }
    #expect(fresh?.status == 200)
    var short = 0.0
    while short == 0, ContinuousClock.now < deadline {
      let text = (try? daemon.admin().get("/metrics")).flatMap { try? PrometheusText($0.body) }
      short = text?.value("packhouse_limits_hit_total", ["listener": "client", "limit": "open_files"]) ?? 0
      usleep(50_000)
    }
    #expect(short > 0)
    #expect(try steady.stop() == [])
    try daemon.stop()
  }

  @Test func aSmallLimitOfOpenFilesLetsInFewerAndSaysSo() throws {
    let folder = try TemporaryFolder()
    let authority = try TestAuthority()
    try authority.issue(into: folder)
    let (port, adminPort) = (try Ports.take(), try Ports.take())
    try folder.write("packhouse.json", TestDaemon.configuration(folder, port, adminPort))
    let notify = try NotifySocket(folder.file("notify"))
    let process = try ChildProcess(
      "/bin/sh",
      ["-c", "ulimit -n 400; exec \(ChildProcess.packhouse) serve --config \(folder.file("packhouse.json"))"],
      environment: ["NOTIFY_SOCKET": notify.path], errorPath: folder.file("errors"))
    let told = try notify.next()
    #expect(told.contains("READY=1"))
    #expect(process.errors.contains("limits.connections is 10000 and limits.adminConnections 512"))
    #expect(process.errors.contains("may have 400 files open"))
    process.send(SIGTERM)
    #expect(try process.finish() == .code(0))
  }

  @Test func aFullDiskUnderTheLogLosesLinesAndNothingElse() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("access.log")
    symlink("/dev/full", path)
    let daemon = try TestDaemon.service(settings: "accessLog: \"\(path)\",")
    let steady = SteadyClient(daemon, pack: try withPack(daemon))
    try steady.goesOn()
    try daemon.waitForLog("Lines of the access log are lost")
    let lost = try daemon.metrics("lost lines") { $0.value("packhouse_access_log_lost_lines_total") ?? 0 > 0 }
    #expect(lost.value("packhouse_access_log_lost_lines_total") ?? 0 > 0)
    try steady.goesOn(40)
    // Room again.
    unlink(path)
    daemon.process.send(SIGHUP)
    try daemon.waitForLog("The access log can be written again")
    try steady.goesOn()
    #expect(try steady.stop() == [])
    try daemon.stop()
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains("{\"dropped\":"))
    #expect(text.split(separator: "\n").count > 10)
    #expect(daemon.process.errors.components(separatedBy: "Lines of the access log are lost").count == 2)
  }

  @Test func uploadsLeaveRoomOnTheDisk() throws {
    let daemon = try TestDaemon.service(limits: "freeSpace: \"100 TB\",")
    let admin = daemon.admin()
    let version = try admin.version(pack: try admin.pack("p", app: try admin.app()))
    let attributes: [String: Any] = ["assetType": "ASSET", "fileName": "a.aar", "fileSize": 1000]
    let refused = try admin.create(
      "backgroundAssetUploadFiles", attributes, ("backgroundAssetVersion", "backgroundAssetVersions", version.id))
    #expect(refused.status == 507 && refused.code == "DISK_FULL")
    #expect(refused.detail.contains("limits.freeSpace"))
    // The catalog goes on, and so do the counts.
    _ = try admin.version(pack: try admin.pack("q", app: try admin.app()))
    let text = try daemon.metrics("the refusal") {
      $0.value("packhouse_limits_hit_total", ["listener": "admin", "limit": "disk"]) == 1
    }
    #expect(text.value("packhouse_api_errors_total", ["code": "DISK_FULL"]) == 1)
    #expect(text.value("packhouse_state_free_bytes") ?? 0 > 0)
  }

  @Test func requestsInHandAreCounted() throws {
    let daemon = try TestDaemon.service(limits: "adminRequests: 1,")
    let slow = try RawConnection(port: daemon.adminPort, trust: daemon.trust)
    try slow.send("POST /v1/apps HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n123")
    let admin = daemon.admin()
    var answer = try admin.get("/healthz")
    let deadline = ContinuousClock.now + .seconds(30)
    // The first request counts once its head was read, which may be later.
    while answer.status == 200, ContinuousClock.now < deadline { answer = try admin.get("/healthz") }
    #expect(answer.status == 503 && answer.code == "OVERLOADED" && answer.fields["retry-after"] == "1")
    slow.close()
    while answer.status != 200, ContinuousClock.now < deadline { answer = try admin.get("/healthz") }
    #expect(answer.status == 200)
    _ = try daemon.metrics("the refusal") {
      $0.value("packhouse_limits_hit_total", ["listener": "admin", "limit": "admin_requests"]) ?? 0 > 0
    }
  }

  @Test func moreRangesThanAllowedAreAnsweredWhole() throws {
    let daemon = try TestDaemon.service(limits: "ranges: 3,")
    let pack = try withPack(daemon)
    let web = daemon.client()
    let path = "/apps/\(TestDaemon.app)/packs/1/p"
    #expect(try web.get(path, [("Range", "bytes=0-1,10-11,20-21")]).status == 206)
    let whole = try web.get(path, [("Range", "bytes=0-1,10-11,20-21,30-31")])
    #expect(whole.status == 200 && whole.body == pack)
    _ = try daemon.metrics("the ranges") {
      $0.value("packhouse_limits_hit_total", ["listener": "client", "limit": "ranges"]) == 1
    }
  }

  @Test func aCrowdAtTheClientListenerLeavesTheAdminListenerAlone() throws {
    let daemon = try TestDaemon.service(limits: "connections: 5, connectionsPerAddress: 5,")
    let crowd = try (0..<10).map { _ in try PlainConnection(port: daemon.port) }
    for _ in 0..<10 { #expect(try daemon.admin().get("/healthz").status == 200) }
    #expect(crowd.count == 10)
    let text = try daemon.metrics("the limit") {
      $0.value("packhouse_connections_refused_total", ["listener": "client", "reason": "total"]) ?? 0 >= 5
    }
    #expect(text.value("packhouse_connections_limit", ["listener": "client"]) == 5)
    #expect(text.value("packhouse_connections_limit", ["listener": "admin"]) == 512)
  }
}
