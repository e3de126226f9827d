import AssetPacks
import Foundation
import Synchronization
import Testing
import TestSupport

/// Requests that are sent twice, changes that meet each other, and many writers, against the running daemon.
@Suite(.waits) struct IdempotencyTests {
  private func create(
    _ admin: AdminClient, _ type: String, _ data: [String: Any], key: String
  ) throws -> Answer {
    var data = data
    data["type"] = type
    let body = [UInt8](try JSONSerialization.data(withJSONObject: ["data": data], options: .sortedKeys))
    return try admin.web.send(
      "POST", "/v1/\(type)", [("Authorization", "Bearer \(admin.token ?? "")"), ("Idempotency-Key", key)], body: body)
  }

  @Test func aRepeatAfterAKillDoesNothingAgain() throws {
    let daemon = try TestDaemon.service()
    let admin = daemon.admin()
    let app = try admin.app()
    let pack = try admin.pack("p", app: app)
    let version: [String: Any] = [
      "relationships": ["backgroundAsset": ["data": ["type": "backgroundAssets", "id": pack]]]
    ]
    let first = try create(admin, "backgroundAssetVersions", version, key: "v").expect(201)
    let upload = try admin.push("q", try Packs.make("q"), app: app)
    #expect(upload.text("state") == "COMPLETE")
    let release: [String: Any] = [
      "attributes": ["track": "production", "packs": [["assetPackIdentifier": "q"]]],
      "relationships": ["app": ["data": ["type": "apps", "id": app]]],
    ]
    let released = try create(admin, "releases", release, key: "r").expect(201)
    try daemon.kill()
    try daemon.start()
    let again = daemon.admin()
    let repeated = try create(again, "backgroundAssetVersions", version, key: "v").expect(201)
    #expect(repeated.body == first.body)
    #expect(repeated.fields["location"] == first.fields["location"])
    #expect(repeated.fields["idempotency-replayed"] == "true")
    #expect(try create(again, "releases", release, key: "r").expect(201).body == released.body)
    #expect(try create(again, "releases", version, key: "r").code == "IDEMPOTENCY_KEY_REUSED")
    #expect(try again.get("/v1/backgroundAssets/\(pack)/versions").resources.count == 1)
  }

  @Test func aChangeToWhatWasReadLongAgoIs412() throws {
    let daemon = try TestDaemon.service()
    let admin = daemon.admin()
    let app = try admin.app()
    let path = "/v1/apps/\(app)"
    let tag = try #require(try admin.get(path).expect(200).fields["etag"])
    func rename(_ name: String) throws -> Answer {
      let document: [String: Any] = ["data": ["type": "apps", "id": app, "attributes": ["name": name]]]
      return try admin.web.send(
        "PATCH", path, [("Authorization", "Bearer \(daemon.token)"), ("If-Match", tag)],
        body: [UInt8](try JSONSerialization.data(withJSONObject: document)))
    }
    #expect(try rename("B").status == 200)
    let stale = try rename("C")
    #expect(stale.status == 412)
    #expect(stale.code == "PRECONDITION_FAILED")
    #expect(try admin.get(path).resource.text("name") == "B")
    let unchanged = try admin.web.get(path, [("Authorization", "Bearer \(daemon.token)"), ("If-None-Match", tag)])
    #expect(unchanged.status == 200)
  }

  /// 64 clients that create, change and read at once: every request is answered, none with 5xx.
  @Test func manyWritersAtOnceAllGetThrough() throws {
    let daemon = try TestDaemon.service()
    let admin = daemon.admin()
    let app = try admin.app()
    let packs = try (0..<8).map { try admin.pack("pack-\($0)", app: app) }
    let failures = Mutex<[String]>([])
    let numbers = Mutex<[String]>([])
    let (base, trust, token) = (daemon.adminBase, daemon.trust, daemon.token)
    let group = DispatchGroup()
    for writer in 0..<64 {
      // Threads of their own, so that all of them are there at once on any machine.
      group.enter()
      let thread = Thread {
        defer { group.leave() }
        let client = AdminClient(WebClient(base, trust), token: token)
        do {
          for _ in 0..<4 {
            let pack = packs[writer % packs.count]
            let version = try client.version(pack: pack)
            numbers.withLock { $0.append("\(pack) \(version.text("version") ?? "")") }
            for answer in [
              try client.update("apps", app, ["name": "writer \(writer)"]),
              try client.get("/v1/backgroundAssets/\(pack)/versions?include=backgroundAsset&sort=version&limit=5"),
            ] where answer.status != 200 {
              failures.withLock { $0.append("\(answer.status): \(answer.text)") }
            }
          }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
      thread.start()
    }
    #expect(group.wait(timeout: .now() + 240) == .success)
    #expect(failures.withLock { $0 } == [])
    let all = numbers.withLock { $0 }
    #expect(all.count == 64 * 4)
    #expect(Set(all).count == all.count, "a number was given twice")
  }
}
