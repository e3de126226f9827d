import Foundation
import Testing
import TestSupport

/// Releases over the admin API, and what devices see of them.
@Suite(.waits) struct ReleaseTests {
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

    /// Id and version of each pack in the manifest; nil when there is none.
    func manifest(_ query: String = "", track: String = "production") throws -> [String: Int]? {
      let answer = try web.get("/apps/\(TestDaemon.app)/\(track)/manifest.json\(query)")
      if answer.status == 404 { return nil }
      let packs = try answer.expect(200).json["assetPacks"] as? [[String: Any]] ?? []
      let pairs = packs.map { ($0["id"] as? String ?? "", $0["version"] as? Int ?? 0) }
      return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }

    func push(_ id: String, _ text: String, platforms: [String] = ["iOS"]) throws -> APIResource {
      let version = try admin.push(id, try Packs.make(id, Array(text.utf8), platforms: platforms), app: app)
      guard version.text("state") == "COMPLETE" else { throw Failure("\(version.json)") }
      return version
    }

    func version(_ id: String) throws -> APIResource { try admin.get("/v1/backgroundAssetVersions/\(id)").resource }
  }

  @Test func aReleaseIsServedWhenItIsAnsweredAndTheOldBytesStay() throws {
    let server = try Server()
    let first = try Packs.make("p", Array("one".utf8))
    let second = try Packs.make("p", Array("two!".utf8))
    let one = try server.admin.push("p", first, app: server.app)
    #expect(try server.manifest() == nil)
    let answer = try server.admin.release([("p", "1")], app: server.app).expect(201).resource
    #expect(answer.text("track") == "production")
    #expect(answer.text("manifestURL") == server.daemon.clientBase + server.daemon.manifestPath)
    let item = try #require(answer.list("packs").first)
    #expect(item["version"] as? String == "1")
    #expect(item["state"] as? String == "READY_FOR_DISTRIBUTION")
    #expect(item["previousVersion"] is NSNull)
    #expect(try server.manifest() == ["p": 1])

    let two = try server.admin.push("p", second, app: server.app)
    #expect(two.text("version") == "2")
    #expect(try server.manifest() == ["p": 1])
    #expect(try server.manifest(track: "internal") == ["p": 2])
    let update = try server.admin.release([("p", nil)], app: server.app).expect(201).resource
    #expect(update.list("packs").first?["previousVersion"] as? String == "1")
    #expect(try server.manifest() == ["p": 2])
    for (number, bytes) in [(1, first), (2, second)] {
      let pack = try server.web.get("/apps/\(TestDaemon.app)/packs/\(number)/p")
      #expect(pack.status == 200)
      #expect(pack.body == bytes)
    }
    #expect(try server.version(one.id).text("appStoreState") == "SUPERSEDED")
    #expect(try server.version(one.id).text("internalBetaState") == "SUPERSEDED")
    #expect(try server.version(two.id).text("appStoreState") == "READY_FOR_DISTRIBUTION")
    let tracks = try server.admin.get("/v1/apps/\(server.app)/tracks").resources
    let production = try #require(tracks.first { $0.id == "production" })
    let live = try #require(production.list("packs").first)
    #expect(live["version"] as? String == "2")
    #expect(live["downloadSize"] as? Int == second.count)
    #expect(live["sha256"] as? String == Packs.hash(second))
    #expect(live["url"] as? String == "\(server.daemon.clientBase)/apps/\(TestDaemon.app)/packs/2/p")
  }

  @Test func theSameReleaseTwiceChangesNothing() throws {
    let server = try Server()
    _ = try server.push("p", "a")
    _ = try server.admin.release([("p", nil)], app: server.app).expect(201)
    let before = try server.web.get(server.daemon.manifestPath)
    _ = try server.admin.release([("p", "1")], app: server.app).expect(201)
    let after = try server.web.get(server.daemon.manifestPath)
    #expect(before.body == after.body)
    #expect(before.fields["etag"] == after.fields["etag"])
    #expect(before.fields["last-modified"] == after.fields["last-modified"])
  }

  @Test func aVersionNeverFalls() throws {
    let server = try Server()
    _ = try server.push("p", "a")
    _ = try server.push("p", "b")
    _ = try server.admin.release([("p", "2")], app: server.app).expect(201)
    let answer = try server.admin.release([("p", "1")], app: server.app)
    #expect(answer.status == 409)
    #expect(answer.code == "VERSION_WOULD_FALL")
    #expect(answer.detail.contains("2"))
    #expect(try server.manifest() == ["p": 2])
  }

  @Test func aManifestShrinksOnlyWhenThatIsConfirmed() throws {
    let server = try Server()
    _ = try server.push("p", "a", platforms: ["iOS", "macOS"])
    _ = try server.push("q", "a", platforms: ["iOS", "macOS"])
    _ = try server.admin.release([("p", nil), ("q", nil)], app: server.app).expect(201)
    _ = try server.push("p", "b", platforms: ["iOS"])
    let refused = try server.admin.release([("p", nil)], app: server.app)
    #expect(refused.status == 409)
    #expect(refused.code == "MANIFEST_WOULD_SHRINK")
    #expect(refused.detail.contains("macOS") && refused.detail.contains("p"))
    #expect(try server.manifest("?platform=macOS") == ["p": 1, "q": 1])
    #expect(try server.manifest("?platform=iOS") == ["p": 1, "q": 1])
    let other = try server.admin.release([("p", nil)], app: server.app, confirmedRemovals: ["q"])
    #expect(other.code == "MANIFEST_WOULD_SHRINK")
    _ = try server.admin.release([("p", nil)], app: server.app, confirmedRemovals: ["p"]).expect(201)
    #expect(try server.manifest("?platform=macOS") == ["q": 1])
    #expect(try server.manifest("?platform=iOS") == ["p": 2, "q": 1])
    // The last pack of a platform is never taken away.
    _ = try server.push("q", "b", platforms: ["iOS"])
    let empty = try server.admin.release([("q", nil)], app: server.app, confirmedRemovals: ["q"])
    #expect(empty.status == 409)
    #expect(empty.code == "MANIFEST_WOULD_BE_EMPTY")
    #expect(try server.manifest("?platform=macOS") == ["q": 1])
  }

  @Test func severalPacksGoLiveTogetherOrNotAtAll() throws {
    let server = try Server()
    _ = try server.push("a", "1")
    _ = try server.push("b", "1")
    _ = try server.admin.release([("a", nil), ("b", nil)], app: server.app).expect(201)
    #expect(try server.manifest() == ["a": 1, "b": 1])
    let better = try server.push("a", "2")
    let broken = try server.admin.push("b", Array("no archive".utf8), app: server.app)
    #expect(broken.text("state") == "FAILED")
    for second in [("b", "2"), ("b", "99"), ("nothing", nil)] as [(String, String?)] {
      let answer = try server.admin.release([("a", "2"), second], app: server.app)
      #expect([404, 409, 422].contains(answer.status), "\(second): \(answer.text)")
      #expect(try server.manifest() == ["a": 1, "b": 1])
      #expect(try server.version(better.id).text("appStoreState") == "PREPARE_FOR_SUBMISSION")
    }
    let twice = try server.admin.release([("a", "2"), ("a", "1")], app: server.app)
    #expect(twice.status == 422)
    _ = try server.push("b", "3")
    _ = try server.admin.release([("b", nil), ("a", nil)], app: server.app).expect(201)
    #expect(try server.manifest() == ["a": 2, "b": 3])
  }

  @Test func anAppWithReviewsReleasesNothingWithoutOne() throws {
    let server = try Server()
    _ = try server.push("p", "a")
    for policy in ["required", "fourEyes"] {
      _ = try server.admin.update("apps", server.app, ["reviewPolicy": policy]).expect(200)
      let answer = try server.admin.release([("p", nil)], app: server.app)
      #expect(answer.status == 409)
      #expect(answer.code == "REVIEW_REQUIRED")
      #expect(answer.detail.contains(policy))
    }
    #expect(try server.manifest() == nil)
    _ = try server.admin.update("apps", server.app, ["reviewPolicy": "none"]).expect(200)
    _ = try server.admin.release([("p", nil)], app: server.app).expect(201)
    #expect(try server.manifest() == ["p": 1])
  }

  @Test func aVersionThatIsNotCompleteIsNotReleased() throws {
    let server = try Server()
    let pack = try server.admin.pack("p", app: server.app)
    let none = try server.admin.release([("p", nil)], app: server.app)
    #expect(none.status == 409)
    #expect(none.code == "VERSION_NOT_COMPLETE")
    _ = try server.admin.version(pack: pack)
    let waiting = try server.admin.release([("p", "1")], app: server.app)
    #expect(waiting.status == 409)
    #expect(waiting.code == "VERSION_NOT_COMPLETE")
    #expect(waiting.detail.contains("AWAITING_UPLOAD"))
  }

  @Test func aHostThatIsTakenOffTheListIsNotServedAnyMore() throws {
    let server = try Server()
    _ = try server.push("p", "a")
    _ = try server.admin.release([("p", nil)], app: server.app).expect(201)
    let refused = try server.admin.update("apps", server.app, ["domainAllowList": ["127.0.0.1"]])
    if refused.status == 200 {
      #expect(try server.web.get(server.daemon.manifestPath).status == 421)
    } else {
      #expect(refused.status == 409)
      #expect(try server.web.get(server.daemon.manifestPath).status == 200)
    }
    _ = try server.admin.update("apps", server.app, ["domainAllowList": ["localhost"]]).expect(200)
    #expect(try server.web.get(server.daemon.manifestPath).status == 200)
    #expect(
      try WebClient("https://127.0.0.1:\(server.daemon.port)", server.daemon.trust).get(server.daemon.manifestPath)
        .status == 421)
  }
}
