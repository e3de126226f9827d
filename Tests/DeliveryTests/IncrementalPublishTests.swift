import AssetPacks
import Glibc
import HTTPCore
import Testing

@testable import Delivery
@testable import PackStore

/// A publish does no more than what changed.
@Suite struct IncrementalPublishTests {
  @Test func aReleaseOfOnePackOfAThousandMakesTwoManifests() throws {
    let catalog = try LargeCatalog(apps: 2, packs: 1000, versions: 10)
    defer { catalog.remove() }
    let counts = BuildCounts()
    let builder = SnapshotBuilder(blobs: catalog.store.blobs, development: nil, counts: counts)
    let live = try catalog.store.liveState()
    let first = builder.build(live, previous: nil)
    // Two apps, two tracks with something live; all packs are for iOS, so its manifest is the one of all.
    #expect(counts.manifests == 4)
    #expect(counts.packs == 20_000)
    // All versions of a pack have the same bytes here.
    #expect(counts.files == 2000)
    #expect(first.faults.isEmpty)

    let rendered = catalog.renders.value
    _ = try catalog.store.release(
      app: catalog.apps[0], track: .production, packs: [ReleaseItem("pack7")], actor: catalog.actor)
    #expect(catalog.renders.value - rendered == 2)
    let next = try catalog.store.liveState(after: live)
    #expect(next == (try catalog.store.liveState()))
    let second = builder.build(next, previous: first)
    #expect(counts.manifests == 5)
    #expect(counts.packs == 20_000)
    #expect(counts.files == 2000)
    #expect(second.servedApps[1] === first.servedApps[1])
    #expect(second.servedApps[0] !== first.servedApps[0])
    try expect(
      second, "/apps/com.example.app1/production/manifest.json", contains: "\"id\":\"pack7\"", "/packs/10/pack7")
    try expect(first, "/apps/com.example.app1/production/manifest.json", contains: "/packs/5/pack7", "/packs/5/pack8")

    // A rollout makes the other side only, a rollback the two manifests again.
    let before = catalog.renders.value
    let rollout = try catalog.store.startRollout(
      app: catalog.apps[0], track: .production, packs: [ReleaseItem("pack8")], percent: 10, actor: catalog.actor)
    #expect(catalog.renders.value - before == 2)
    _ = try catalog.store.changeRollout(rollout.id, percent: 20, actor: catalog.actor)
    #expect(catalog.renders.value - before == 2)
    // Nothing at all has changed.
    let state = try catalog.store.liveState(after: next)
    let third = builder.build(state, previous: second)
    let made = counts.manifests
    let fourth = builder.build(try catalog.store.liveState(after: state), previous: third)
    #expect(counts.manifests == made)
    #expect(zip(fourth.servedApps, third.servedApps).allSatisfy { $0 === $1 })
  }

  @Test func noMoreFilesStayOpenThanThereIsRoomFor() throws {
    let catalog = try LargeCatalog(apps: 1, packs: 20, versions: 2)
    defer { catalog.remove() }
    let counts = BuildCounts()
    let builder = SnapshotBuilder(blobs: catalog.store.blobs, development: nil, counts: counts, openFiles: 5)
    let live = try catalog.store.liveState()
    let first = builder.build(live, previous: nil)
    #expect(counts.files == 5 && first.closedFiles == 0 && first.faults.isEmpty)
    for pack in [0, 19] {
      let request = Array(
        "GET /apps/com.example.app1/packs/1/pack\(pack) HTTP/1.1\r\nHost: packs.example.com\r\n\r\n".utf8)
      let plan = try #require(RequestView.parsing(request) { first.respond($0) })
      guard case .representation(let representation, _) = plan, case .file(let file, _) = representation.body else {
        Issue.record("pack\(pack) is not served")
        continue
      }
      var bytes = [UInt8](repeating: 0, count: representation.length)
      #expect(pread(file, &bytes, bytes.count, 0) == bytes.count)
      #expect(String(decoding: bytes, as: UTF8.self) == "the bytes of pack \(pack) of app 1")
    }
    let second = builder.build(try catalog.store.liveState(after: live), previous: first)
    #expect(second.servedApps[0] === first.servedApps[0])
  }

  @Test func whatIsChangedByAnybodyIsNoticed() throws {
    let catalog = try LargeCatalog(apps: 1, packs: 2, versions: 2)
    defer { catalog.remove() }
    for statement in [
      "UPDATE packs SET archived = 1 WHERE identifier = 'pack1'",
      "UPDATE app_domains SET pattern = pattern", "DELETE FROM app_domains", "UPDATE releases SET went_live = NULL",
      "UPDATE versions SET size = 3 WHERE number = 1", "UPDATE manifests SET generation = 9",
    ] {
      let before = try catalog.store.liveState()
      try catalog.store.catalog.write { (connection) throws(StoreFailure) in try connection.run(statement) }
      #expect(try catalog.store.liveState(after: before) == catalog.store.liveState(), "\(statement)")
    }
  }

  private func expect(_ snapshot: Snapshot, _ path: String, contains texts: String...) throws {
    let request = Array("GET \(path) HTTP/1.1\r\nHost: packs.example.com\r\n\r\n".utf8)
    let plan = try #require(RequestView.parsing(request) { snapshot.respond($0) })
    guard case .representation(let representation, _) = plan, case .bytes(let bytes) = representation.body else {
      Issue.record("\(path) is no manifest")
      return
    }
    let body = String(decoding: bytes.pointer, as: UTF8.self)
    for text in texts { #expect(body.contains(text)) }
  }
}
