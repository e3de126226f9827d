import AssetPacks
import Digests
import Foundation
import HTTPCore

import Testing

@testable import Delivery
@testable import PackStore

@Suite struct SnapshotTests {
  private let folder = NSTemporaryDirectory() + "packhouse-snapshot-" + UUID().uuidString

  /// Two apps with a pack each; the second one's file is shorter than the catalog says.
  private func snapshot(override bundleID: String? = nil) throws -> Snapshot {
    let blobs = try BlobStore(folder: folder)
    let bytes = Array("the bytes of a pack".utf8)
    let hash = Digest.sha256Text(bytes)
    let path = blobs.path(ofBlob: hash)
    try FileManager.default.createDirectory(
      atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let manifest = Array(#"{"assetPacks":[]}"#.utf8)
    func record(_ scope: ManifestScope) -> ManifestRecord {
      ManifestRecord(
        track: .production, scope: scope, generation: 1, bytes: manifest, sha256: Digest.sha256Text(manifest),
        published: 1000)
    }
    func app(_ id: String, host: String, pack: String, size: Int) -> LiveState.App {
      LiveState.App(
        id: id, bundleID: id, domainAllowList: [host], manifests: [record(.all), record(.platform(.iOS))],
        versions: [
          LiveState.Version(
            assetPackIdentifier: pack, number: 3, sha256: hash, size: Int64(size), created: 500, isLive: true)
        ])
    }
    return SnapshotBuilder(
      blobs: blobs, development: bundleID.map { SnapshotBuilder.Development(bundleID: $0, track: .production) }
    ).build(
      LiveState(apps: [
        app("com.one", host: "one.example.com", pack: "level 1", size: bytes.count),
        app("com.two", host: "two.example.com", pack: "b", size: 999),
      ]), previous: nil)
  }

  private func plan(
    _ target: String, host: String, method: String = "GET", override app: String? = nil
  ) throws -> ResponsePlan {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let snapshot = try snapshot(override: app)
    let request = Array("\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8)
    return try #require(RequestView.parsing(request, limits: RequestLimits()) { snapshot.respond($0) })
  }

  private func answer(
    _ target: String, host: String, method: String = "GET", override app: String? = nil
  ) throws -> Int {
    switch try plan(target, host: host, method: method, override: app) {
    case .representation(_, let selection): return Int(selection.status)
    case .message(let message): return Int(message.status)
    case .work, .receive: return 0
    }
  }

  @Test(arguments: [
    ("/apps/com.one/production/manifest.json", "one.example.com", 200),
    ("/apps/com.one/production/manifest.json", "ONE.example.com:8443", 200),
    ("/apps/com.one/production/manifest.json?platform=iOS", "one.example.com", 200),
    ("/apps/com.one/production/manifest.json?platform=tvOS", "one.example.com", 404),
    ("/apps/com.one/production/manifest.json?anything", "one.example.com", 200),
    ("/apps/com.one/production/manifest.json", "two.example.com", 421),
    ("/apps/com.one/production/manifest.json", "evil.example.com", 421),
    ("/apps/com.one/beta/manifest.json", "one.example.com", 404),
    ("/apps/com.one/packs/3/level%201", "one.example.com", 200),
    ("/apps/com.one/packs/3/level%201.aar", "one.example.com", 200),
    ("/apps/com.one/packs/2/level%201", "one.example.com", 404),
    ("/apps/com.one/packs/3/../3/level%201", "one.example.com", 404),
    ("/apps/com.two/packs/3/b", "one.example.com", 421), ("/apps/com.two/packs/3/b", "two.example.com", 503),
    ("/manifest", "one.example.com", 404), ("/", "one.example.com", 404), ("/v1/apps", "one.example.com", 404),
  ])
  func eachTargetHasItsAnswer(target: String, host: String, status: Int) throws {
    #expect(try answer(target, host: host) == status)
  }

  @Test(arguments: [("HEAD", 200), ("POST", 405), ("DELETE", 405), ("TRACE", 405), ("OPTIONS", 204), ("BREW", 405)])
  func onlyReadingMethodsAreAnswered(method: String, status: Int) throws {
    let target = "/apps/com.one/production/manifest.json"
    #expect(try answer(target, host: "one.example.com", method: method) == status)
  }

  /// The manifest for an override leads to the host that was asked, so the host must be one of that app.
  @Test(arguments: [
    ("one.example.com", 200), ("one.example.com:8443", 200), ("two.example.com", 421), ("evil.example.com", 421),
  ])
  func anOverrideIsForTheHostsOfItsApp(host: String, status: Int) throws {
    #expect(try answer("/manifest", host: host, override: "com.one") == status)
  }

  @Test func theTagOfAnOverrideIsThatOfItsHost() throws {
    func tag(_ host: String) throws -> String? {
      guard case .representation(let found, _) = try plan("/manifest", host: host, override: "com.one") else {
        return nil
      }
      return found.entityTag.text
    }
    let tags = [try tag("one.example.com"), try tag("one.example.com:8443")]
    #expect(tags.allSatisfy { $0?.hasPrefix("\"") == true })
    #expect(tags[0] != tags[1])
  }

  @Test func aDamagedFileIsReported() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let faults = try snapshot().faults
    #expect(faults.count == 1)
    #expect(faults.first?.hasPrefix("b version 3 is not served: ") == true)
  }
}
