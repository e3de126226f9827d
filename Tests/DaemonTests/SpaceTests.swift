import Foundation
import Synchronization
import Testing
import TestSupport

/// Quotas, the archive and collections, over the wire and with the command line.
@Suite(.waits) struct SpaceTests {
  private struct Server {
    let daemon: TestDaemon
    let admin: AdminClient
    let web: WebClient
    let app: String
    let environment: [String: String]

    init(settings: String = "", partSize: String = "64 KiB") throws {
      daemon = try TestDaemon.service(partSize: partSize, settings: settings)
      admin = daemon.admin()
      web = daemon.client()
      app = try admin.app()
      let authority = try daemon.folder.write("ca.pem", daemon.authorityPEM)
      environment = [
        "PACKHOUSE_SERVER": daemon.adminBase, "PACKHOUSE_TOKEN": daemon.token, "PACKHOUSE_CA": authority,
      ]
    }

    /// Runs a verb: its exit, what it printed, its messages.
    func run(_ words: String...) throws -> (exit: ChildProcess.Exit, text: String, errors: String) {
      let process = try ChildProcess(
        ChildProcess.packhouse, words, environment: environment,
        errorPath: daemon.folder.file("verb-\(UUID().uuidString)"))
      let output = try process.rest()
      return (try process.finish(), output, process.errors)
    }

    func json(_ text: String) -> [String: Any] {
      (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] ?? [:]
    }

    func push(_ id: String, _ content: [UInt8], platforms: [String] = ["iOS"]) throws -> [UInt8] {
      let bytes = try Packs.make(id, content, platforms: platforms, codec: .stored)
      let version = try admin.push(id, bytes, app: app)
      guard version.text("state") == "COMPLETE" else { throw Failure("\(version.json)") }
      return bytes
    }

    func manifest(_ track: String = "production") throws -> [String: Int]? {
      let answer = try web.get("/apps/\(TestDaemon.app)/\(track)/manifest.json")
      if answer.status == 404 { return nil }
      let packs = try answer.expect(200).json["assetPacks"] as? [[String: Any]] ?? []
      let pairs = packs.map { ($0["id"] as? String ?? "", $0["version"] as? Int ?? 0) }
      return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }
  }

  private final class Outcomes: Sendable {
    private let statuses = Mutex<[Int: [Int]]>([:])

    func add(_ status: Int, _ number: Int) { statuses.withLock { $0[status, default: []].append(number) } }
    func numbers(_ status: Int) -> [Int] { statuses.withLock { $0[status] ?? [] } }
    var count: Int { statuses.withLock { $0.values.reduce(0) { $0 + $1.count } } }
  }

  /// Two hundred uploads from sixteen connections, with room for a hundred and a few bytes more.
  @Test func parallelUploadsNeverPassTheQuotaByOneByte() async throws {
    let size = try Packs.make("p000", Packs.noise(2000), codec: .stored).count
    let limit = 100 * size + size - 1
    let server = try Server(settings: "quota: { bytes: \(limit), packs: 300 },")
    let outcomes = Outcomes()
    let (base, trust, token, app) = (server.daemon.adminBase, server.daemon.trust, server.daemon.token, server.app)
    let threads = (0..<16).map { start in
      Thread {
        let client = AdminClient(WebClient(base, trust), token: token)
        for number in stride(from: start, to: 200, by: 16) {
          do {
            let id = "p\(String(1000 + number).dropFirst())"
            let bytes = try Packs.make(id, Packs.noise(2000), codec: .stored)
            let version = try client.version(pack: try client.pack(id, app: app))
            let answer = try client.create(
              "backgroundAssetUploadFiles", ["assetType": "ASSET", "fileName": "a.aar", "fileSize": bytes.count],
              ("backgroundAssetVersion", "backgroundAssetVersions", version.id))
            if answer.status == 201 {
              let upload = UploadFile(answer.resource)
              for part in upload.parts { _ = try client.put(part, of: bytes).expect(200) }
              _ = try client.commit(upload, hash: Packs.hash(bytes)).expect(200)
              _ = try client.wait(version: version.id)
            } else if answer.code != "QUOTA_EXCEEDED" || !answer.detail.contains("\(limit)") {
              Issue.record("\(answer.text)")
            }
            outcomes.add(answer.status, number)
          } catch {
            Issue.record("\(error)")
            outcomes.add(0, number)
          }
        }
      }
    }
    for thread in threads { thread.start() }
    while outcomes.count < 200 { try await Task.sleep(for: .milliseconds(20)) }
    #expect(outcomes.numbers(201).count == 100)
    #expect(outcomes.numbers(422).count == 100)
    let shown = try server.run("quota", "--app", TestDaemon.app, "--json")
    #expect(shown.exit == .code(0), "\(shown.errors)")
    let quota = server.json(shown.text)
    #expect(quota["used"] as? Int == 100 * size)
    #expect(quota["reserved"] as? Int == 0)
    #expect(quota["reclaimable"] as? Int == 0)
    #expect(quota["limit"] as? Int == limit)
    #expect(quota["isNearlyFull"] as? Bool == true)
    let metrics = try server.admin.get("/metrics").expect(200).text
    #expect(metrics.contains("packhouse_quota_limit_bytes{app=\"\(TestDaemon.app)\"} \(limit)\n"))
  }

  @Test func anAdminGivesAnAppItsOwnQuota() throws {
    let server = try Server(settings: "quota: { serverBytes: \"1 MB\" },")
    let path = "/v1/apps/\(server.app)/quota"
    func set(_ attributes: [String: Any]) throws -> Answer {
      try server.admin.send(
        "PATCH", path, json: ["data": ["type": "quotas", "id": server.app, "attributes": attributes]])
    }
    #expect(try server.admin.get(path).expect(200).resource.text("preset") == "apple")
    let own = try set(["preset": "odr", "packLimit": 1]).expect(200).resource
    #expect(own.text("preset") == "custom" && own.number("limit") == 20_000_000_000 && own.number("packLimit") == 1)
    _ = try server.push("a", Packs.noise(100))
    let second = try server.admin.create(
      "backgroundAssets", ["assetPackIdentifier": "b"], ("app", "apps", server.app))
    #expect(second.status == 422 && second.code == "TOO_MANY_PACKS")
    let pack = try server.admin.pack("a", app: server.app)
    func reserve(_ size: Int) throws -> Answer {
      try server.admin.create(
        "backgroundAssetUploadFiles", ["assetType": "ASSET", "fileName": "a.aar", "fileSize": size],
        ("backgroundAssetVersion", "backgroundAssetVersions", try server.admin.version(pack: pack).id))
    }
    let large = try reserve(512_000_001)
    #expect(large.status == 422 && large.code == "FILE_TOO_LARGE")
    let full = try reserve(2_000_000)
    #expect(full.status == 507 && full.code == "SERVER_QUOTA_EXCEEDED" && full.detail.contains("1000000"))
    #expect(try set(["limit": -1]).status == 422)
    #expect(try set(["size": 1]).code == "UNKNOWN_FIELD")
    #expect(try set(["preset": NSNull()]).expect(200).resource["isOwn"] as? Bool == false)
    let viewer = AdminClient(
      server.admin.web, token: try TestDaemon.makeToken(.publisher, state: server.daemon.state))
    #expect(try viewer.send("PATCH", path, json: [:]).status == 403)
    let all = try server.admin.get("/v1/quota").expect(200).resource
    #expect(all.number("limit") == 1_000_000 && all.number("apps") == 1)
    let shown = try server.run("quota", "--app", TestDaemon.app, "--limit", "5KB", "--packs", "7")
    #expect(shown.exit == .code(0), "\(shown.errors)")
    #expect(shown.text.contains("5000") && shown.text.contains("of 7"))
    #expect(try server.run("quota", "--limit", "5KB").exit == .code(64))
    #expect(try server.run("quota", "--app", TestDaemon.app, "--limit", "lots").exit == .code(64))
  }

  @Test func aPackGoesIntoTheArchiveAndComesBack() throws {
    let server = try Server()
    let bytes = try server.push("a", Packs.noise(500))
    _ = try server.push("b", Packs.noise(100))
    _ = try server.admin.release([("a", nil), ("b", nil)], app: server.app).expect(201)
    let url = "/apps/\(TestDaemon.app)/packs/1/a"
    let refused = try server.run("archive", "--app", TestDaemon.app, "a")
    #expect(refused.exit == .code(65))
    for word in ["delete", "production", "MANIFEST_WOULD_SHRINK", "--confirm a"] {
      #expect(refused.errors.contains(word), "\(refused.errors)")
    }
    #expect(try server.run("archive", "--app", TestDaemon.app, "a", "--confirm", "b").exit == .code(65))
    #expect(try server.manifest() == ["a": 1, "b": 1])
    let archived = try server.run("archive", "--app", TestDaemon.app, "a", "--confirm", "a", "--json")
    #expect(archived.exit == .code(0), "\(archived.errors)")
    #expect(server.json(archived.text)["archived"] as? Bool == true)
    #expect(try server.manifest() == ["b": 1] && server.manifest("internal") == ["b": 1])
    #expect(try server.web.get(url).expect(200).body == bytes)
    #expect(try server.admin.release([("a", nil)], app: server.app).code == "PACK_ARCHIVED")
    let listed = try server.run("packs", "--app", TestDaemon.app)
    #expect(listed.text.split(separator: "\n").contains { $0.hasPrefix("a ") && $0.hasSuffix("archived") })
    // It is still so after a start.
    try server.daemon.stop()
    try server.daemon.start()
    #expect(try server.manifest() == ["b": 1])
    let undone = try server.run("archive", "--app", TestDaemon.app, "a", "--undo")
    #expect(undone.exit == .code(0), "\(undone.errors)")
    #expect(try server.manifest() == ["a": 1, "b": 1] && server.manifest("internal") == ["a": 1, "b": 1])
    // The last pack of a manifest: an empty one, and only because it was named.
    for pack in ["a", "b"] {
      #expect(try server.run("archive", "--app", TestDaemon.app, pack, "--confirm", pack).exit == .code(0))
    }
    #expect(try server.manifest() == [:])
    #expect(try server.run("archive", "--app", TestDaemon.app, "nobody").exit == .code(65))
  }

  @Test func aRunningDownloadOutlivesTheCollectionOfItsBytes() throws {
    let server = try Server(
      settings: "retention: { supersededVersions: 1, supersededTime: \"0 s\", grace: \"0 s\", archiveTime: \"0 s\" },",
      partSize: "32 MiB")
    let bytes = try server.push("a", Packs.noise(16_000_000))
    _ = try server.push("a", Packs.noise(100))
    let last = try server.push("a", Packs.noise(200))
    let url = "/apps/\(TestDaemon.app)/packs/1/a"
    let reader = try server.daemon.raw(receiveBuffer: 65536)
    try reader.send("GET \(url) HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(try reader.head()?.status == 200)
    var received = try reader.bytes(100_000)

    let foreseen = server.json(try server.run("gc", "--dry-run", "--json").text)
    #expect(foreseen["freedBytes"] as? Int == bytes.count)
    #expect(try server.web.send("HEAD", url).status == 200)
    let quota = server.json(try server.run("quota", "--app", TestDaemon.app, "--json").text)
    #expect(quota["reclaimable"] as? Int == bytes.count)
    let collected = try server.run("gc", "--app", TestDaemon.app, "--json")
    #expect(collected.exit == .code(0), "\(collected.errors)")
    let report = server.json(collected.text)
    #expect(report["freedBytes"] as? Int == bytes.count)
    #expect((report["collected"] as? [[String: Any]])?.map { $0["version"] as? String } == ["1"])
    #expect(try server.web.get(url).status == 404)
    let path = "\(server.daemon.state)/blobs/\(Packs.hash(bytes).prefix(2))/\(Packs.hash(bytes))"
    #expect(!FileManager.default.fileExists(atPath: path))
    while received.count < bytes.count { received += try reader.bytes(min(1_000_000, bytes.count - received.count)) }
    #expect(received == bytes)

    let refused = try server.admin.release([("a", "1")], app: server.app)
    #expect(refused.status == 409 && refused.code == "VERSION_COLLECTED")
    let versions = try server.run("versions", "--app", TestDaemon.app, "a")
    #expect(versions.text.contains("COMPLETE, collected"), "\(versions.text)")
    let again = try server.run("gc")
    #expect(again.text == "0 versions, 0 files: 0 B freed; 0 versions wait\n")
    // The same bytes may come again, under a number of their own.
    let pushed = try server.admin.push("a", bytes, app: server.app)
    #expect(pushed.text("version") == "4")
    #expect(try server.web.get("/apps/\(TestDaemon.app)/packs/4/a").expect(200).body == bytes)
    #expect(try server.web.get("/apps/\(TestDaemon.app)/packs/3/a").expect(200).body == last)

    #expect(try server.run("archive", "--app", TestDaemon.app, "a", "--confirm", "a").exit == .code(0))
    #expect(server.json(try server.run("gc", "--json").text)["removedBlobs"] as? Int == 3)
    let undo = try server.run("archive", "--app", TestDaemon.app, "a", "--undo")
    #expect(undo.exit == .code(65) && undo.errors.contains("ARCHIVE_FINAL"))
    #expect(try server.admin.get("/healthz").status == 200)
  }

  @Test func aPreviewShowsWhatDevicesWouldDownload() throws {
    let server = try Server()
    let first = try server.push("a", Packs.noise(3000), platforms: ["iOS", "macOS"])
    _ = try server.admin.release([("a", nil)], app: server.app).expect(201)
    let second = try server.push("a", Packs.noise(5000), platforms: ["iOS"])
    let shown = try server.run(
      "release", "--preview", "--app", TestDaemon.app, "--track", "production", "a", "--json", "--allowance",
      "BADownloadAllowance=4KB")
    let refused = try server.run("release", "--app", TestDaemon.app, "--track", "production", "a")
    #expect(shown.exit == refused.exit && shown.exit != .code(0), "\(shown.errors)")
    let preview = server.json(shown.text)
    #expect(preview["wouldBeRefused"] as? Bool == true)
    #expect((preview["refusal"] as? [String: Any])?["code"] as? String == "MANIFEST_WOULD_BE_EMPTY")
    #expect((preview["refusal"] as? [String: Any])?["exitCode"] as? Int == 65)
    let devices = preview["devices"] as? [[String: Any]] ?? []
    let iOS = devices.first { $0["platform"] as? String == "IOS" }
    let update = (iOS?["update"] as? [String: Any])?["onDemand"] as? [String: Int]
    #expect(update?["downloadBytes"] == second.count)
    let codes = (preview["warnings"] as? [[String: Any]])?.compactMap { $0["code"] as? String } ?? []
    #expect(codes.contains("ALLOWANCE_EXCEEDED") && codes.contains("MANIFEST_WOULD_BE_EMPTY"))
    #expect(try server.manifest() == ["a": 1])
    let text = try server.run("release", "--preview", "--app", TestDaemon.app, "--track", "production", "a")
    #expect(text.exit == refused.exit && text.text.contains("version 1 -> version 2"), "\(text.text)\(text.errors)")
    #expect(text.errors.contains("The release would be refused: "))
    #expect(try server.web.get("/apps/\(TestDaemon.app)/packs/1/a").body == first)
  }

  @Test func appsAreMadeAndChangedOnTheCommandLine() throws {
    let server = try Server()
    let made = try server.run("app", "create", "com.example.two", "--name", "Two", "--host", "localhost", "--json")
    #expect(made.exit == .code(0), "\(made.errors)")
    #expect(server.json(made.text)["name"] as? String == "Two")
    #expect(try server.run("app", "create", "com.example.two").exit == .code(65))
    let changed = try server.run("app", "set", "com.example.two", "--review", "fourEyes", "--json")
    #expect(server.json(changed.text)["reviewPolicy"] as? String == "fourEyes")
    #expect(try server.run("app", "set", "com.example.two").exit == .code(64))
    #expect(try server.run("app", "set", "com.example.two", "--review", "some").exit == .code(64))
    let listed = try server.run("app", "list")
    #expect(listed.text.contains("com.example.two") && listed.text.contains(TestDaemon.app))
    #expect(try server.run("versions", "--app", "com.example.two").text == "There are no versions yet.\n")
  }
}
