import AssetPacks
import Digests
import Foundation
import HTTPCore
import Testing

@testable import Delivery
@testable import PackStore

/// What requests get while a rollout runs or a track has lanes.
@Suite struct RolloutServingTests {
  private let host = "packs.example.com"

  private func record(
    _ text: String, _ scope: ManifestScope, lane: String? = nil, _ side: ManifestVariant.Side = .current
  )
    -> ManifestRecord
  {
    let bytes = Array(text.utf8)
    return ManifestRecord(
      track: .production, scope: scope, generation: 1, bytes: bytes, sha256: Digest.sha256Text(bytes), published: 1000,
      variant: ManifestVariant(lane: lane, side: side))
  }

  /// A track with a lane; the rollout changes what iOS and all get, not what macOS gets, and not the lane `kept`.
  private func snapshot(percent: Int?, salt: UInt64 = 7) throws -> Snapshot {
    let folder = NSTemporaryDirectory() + "packhouse-rollout-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var manifests = [
      record("old all", .all), record("old iOS", .platform(.iOS)), record("macOS", .platform(.macOS)),
      record("kept", .all, lane: "kept"), record("free old", .all, lane: "1.x"),
    ]
    var rollouts: [LiveState.App.Rollout] = []
    if let percent {
      manifests += [
        record("new all", .all, .new), record("new iOS", .platform(.iOS), .new),
        record("free new", .all, lane: "1.x", .new),
      ]
      rollouts = [LiveState.App.Rollout(track: .production, percent: percent, salt: salt)]
    }
    let app = LiveState.App(
      id: "1", bundleID: "com.one", domainAllowList: [host], manifests: manifests, versions: [], rollouts: rollouts)
    return SnapshotBuilder(blobs: try BlobStore(folder: folder), development: nil).build(
      LiveState(apps: [app]), previous: nil)
  }

  private struct Reply {
    var status = 0
    var body = ""
    var fields = ""
    var tag = ""
  }

  private func ask(
    _ snapshot: Snapshot, _ target: String, key: String? = nil, client: ClientAddress = .unknown, fields: String = ""
  ) throws -> Reply {
    let line = key.map { "Packhouse-Client-Key: \($0)\r\n" } ?? ""
    let request = Array("GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\(line)\(fields)\r\n".utf8)
    let plan = try #require(
      RequestView.parsing(request) { view in
        var view = view
        view.client = client
        return snapshot.respond(view)
      })
    switch plan {
    case .representation(let representation, let selection):
      guard case .bytes(let bytes) = representation.body else { return Reply() }
      return Reply(
        status: Int(selection.status), body: String(decoding: bytes.pointer, as: UTF8.self),
        fields: String(decoding: representation.fields.pointer, as: UTF8.self),
        tag: String(decoding: representation.entityTag.pointer, as: UTF8.self))
    case .message(let message):
      return Reply(status: Int(message.status), body: String(decoding: message.body, as: UTF8.self))
    case .work, .receive: return Reply()
    }
  }

  private let path = "/apps/com.one/production/manifest.json"

  @Test func theChoiceIsTheOneOfTheBucket() throws {
    let snapshot = try snapshot(percent: 30)
    var reached = 0
    for number in 0..<1000 {
      let key = "device-\(number)"
      let bucket = Array(key.utf8).withUnsafeBytes { RolloutBucket.bucket(ofKey: $0, salt: 7) }
      let expected = bucket < 30 ? "new" : "old"
      if bucket < 30 { reached += 1 }
      #expect(try ask(snapshot, path, key: key).body == "\(expected) all")
      #expect(try ask(snapshot, "\(path)?platform=ios&clientKey=\(key)").body == "\(expected) iOS")
      // The field counts before the query.
      #expect(try ask(snapshot, "\(path)?clientKey=other", key: key).body == "\(expected) all")
    }
    #expect((230...370).contains(reached))
  }

  @Test func theAddressCountsWithoutAKey() throws {
    let snapshot = try snapshot(percent: 50)
    for block in UInt64(0)..<200 {
      let low = 0xffff_0000_0000 | block << 8
      let bucket = RolloutBucket.bucket(ofAddress: 0, low, salt: 7)
      for last in [UInt64(1), 200] {
        let answer = try ask(snapshot, path, client: ClientAddress(high: 0, low: low | last))
        #expect(answer.body == (bucket < 50 ? "new all" : "old all"))
      }
    }
    // An empty key is none.
    let client = ClientAddress(high: 1 << 40, low: 3)
    #expect(try ask(snapshot, path, key: "", client: client).body == ask(snapshot, path, client: client).body)
  }

  @Test(arguments: [(0, "old"), (100, "new")])
  func theEdgesAreExact(percent: Int, side: String) throws {
    let snapshot = try snapshot(percent: percent)
    for number in 0..<300 { #expect(try ask(snapshot, path, key: "\(number)").body == "\(side) all") }
  }

  @Test func sharedCachesKeepNothingWhileARolloutRuns() throws {
    let snapshot = try snapshot(percent: 50)
    for number in 0..<20 {
      let answer = try ask(snapshot, path, key: "\(number)")
      #expect(answer.fields.contains("Cache-Control: private, no-cache\r\n"))
      #expect(answer.fields.contains("Vary: Accept-Encoding, Packhouse-Client-Key\r\n"))
      #expect(!answer.fields.contains("Last-Modified"))
      let again = try ask(snapshot, path, key: "\(number)", fields: "If-None-Match: \(answer.tag)\r\n")
      #expect(again.status == 304)
      // An old answer's time says nothing of which of the two it was.
      let time = try ask(
        snapshot, path, key: "\(number)", fields: "If-Modified-Since: Sun, 06 Nov 2050 08:49:37 GMT\r\n")
      #expect(time.status == 200)
    }
    let (old, new) = (try ask(try self.snapshot(percent: 0), path), try ask(try self.snapshot(percent: 100), path))
    #expect(old.tag != new.tag)
    #expect(try ask(try self.snapshot(percent: 100), path, fields: "If-None-Match: \(old.tag)\r\n").status == 200)
  }

  @Test func everythingElseStaysAsItIs() throws {
    let quiet = try ask(try snapshot(percent: nil), path)
    #expect(quiet.body == "old all")
    #expect(quiet.fields.contains("Cache-Control: no-cache\r\n"))
    #expect(quiet.fields.contains("Vary: Accept-Encoding\r\n"))
    #expect(quiet.fields.contains("Last-Modified"))
    // The rollout makes no difference for the lane that pins its packs.
    let lane = try ask(try snapshot(percent: 50), "/apps/com.one/production/lanes/kept/manifest.json")
    #expect(lane.body == "kept")
    #expect(lane.fields.contains("Cache-Control: no-cache\r\n"))
  }

  @Test func aPlatformThatTheRolloutDoesNotChangeGetsOneDocument() throws {
    for percent in [0, 100] {
      #expect(try ask(try snapshot(percent: percent), "\(path)?platform=macOS").body == "macOS")
    }
    #expect(try ask(try snapshot(percent: 100), "\(path)?platform=tvOS").status == 404)
  }

  @Test(arguments: [
    ("/apps/com.one/production/lanes/1.x/manifest.json", 200, "free new"),
    ("/apps/com.one/production/manifest.json?lane=1.x", 200, "free new"),
    ("/apps/com.one/production/manifest.json?platform=nonsense&lane=1%2Ex", 200, "free new"),
    ("/apps/com.one/production/manifest.json?lane=kept", 200, "kept"),
    ("/apps/com.one/production/manifest.json?lane=2.x", 404, "There is no such lane"),
    ("/apps/com.one/production/manifest.json?lane=", 404, "There is no such lane"),
    ("/apps/com.one/production/lanes/2.x/manifest.json", 404, "There is no such lane"),
    ("/apps/com.one/beta/lanes/1.x/manifest.json", 404, "There is no such lane"),
    ("/apps/com.one/production/lanes/1.x/manifest.json.aar", 404, "There is nothing here"),
    ("/apps/com.one/production/lanes/1.x", 404, "There is nothing here"),
  ])
  func aLaneIsFoundByItsURLAndByTheQuery(target: String, status: Int, text: String) throws {
    let answer = try ask(try snapshot(percent: 100), target)
    #expect(answer.status == status)
    #expect(answer.body.hasPrefix(text))
  }
}
