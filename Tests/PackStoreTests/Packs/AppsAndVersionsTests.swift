import AssetPacks
import Foundation
import Synchronization
import Testing

@testable import PackStore

@Suite final class AppsAndVersionsTests {
  let temporary = TemporaryStore()

  deinit { temporary.remove() }

  @Test func anAppIsCreatedListedAndChanged() throws {
    let store = try temporary.open()
    let app = try store.makeApp()
    #expect(app.domainAllowList == ["packs.example.com"])
    #expect(throws: StoreFailure.alreadyExists(kind: .app, name: "com.example.game", id: app.id)) {
      _ = try store.makeApp()
    }
    let changed = try store.updateApp(
      app.id, name: "Game", reviewPolicy: .required, domainAllowList: ["*.example.com", "cdn.example.net"],
      actor: store.actor)
    #expect(changed.domainAllowList == ["*.example.com", "cdn.example.net"])
    #expect(try store.app(app.id) == changed)
    #expect(try store.apps(bundleID: "com.example.game").items == [changed])
    #expect(try store.apps(bundleID: "com.example.other").items.isEmpty)
    #expect(throws: StoreFailure.notFound(kind: .app, name: "x")) { _ = try store.app("x") }
  }

  @Test func anAllowListWithoutThePublicHostIsRefused() throws {
    let store = try temporary.open()
    let app = try store.makeApp()
    #expect(throws: StoreFailure.self) {
      _ = try store.updateApp(app.id, domainAllowList: ["cdn.example.net"], actor: store.actor)
    }
    #expect(try store.app(app.id).domainAllowList == ["packs.example.com"])
  }

  @Test(arguments: ["", "..", "a/b", "-x", ".x", "ä", "a b"])
  func aBadPackIdentifierIsRefused(identifier: String) throws {
    let store = try temporary.open()
    let app = try store.makeApp()
    #expect(throws: StoreFailure.self) {
      _ = try store.createPack(app: app.id, identifier: identifier, actor: store.actor)
    }
  }

  @Test func listsComeInPages() throws {
    let store = try temporary.open()
    let app = try store.makeApp()
    for number in 1...5 { _ = try store.createPack(app: app.id, identifier: "p\(number)", actor: store.actor) }
    var names: [String] = []
    var after: Int64?
    repeat {
      let page = try store.packs(app: app.id, page: PageRequest(after: after, limit: 2))
      #expect(page.total == 5)
      names += page.items.map(\.identifier)
      after = page.next
    } while after != nil
    #expect(names == ["p1", "p2", "p3", "p4", "p5"])
  }

  @Test func anAppHasALimitOfPacks() throws {
    let store = try temporary.open { $0.quota = Quota(maximumBytes: 1, maximumPacks: 1) }
    let app = try store.makeApp()
    _ = try store.createPack(app: app.id, identifier: "a", actor: store.actor)
    #expect(throws: StoreFailure.quota(.packs(maximum: 1))) {
      _ = try store.createPack(app: app.id, identifier: "b", actor: store.actor)
    }
  }

  @Test func versionNumbersAreNeverUsedAgain() throws {
    let id: String
    do {
      let store = try temporary.open()
      let app = try store.makeApp()
      let pack = try store.createPack(app: app.id, identifier: "a", actor: store.actor)
      id = pack.id
      for number in 1...3 { #expect(try store.createVersion(pack: id, actor: store.actor).number == number) }
      try store.catalog.write { (connection) throws(StoreFailure) in
        try connection.run("DELETE FROM versions WHERE number = 3")
      }
      for sql in ["UPDATE packs SET last_version = 1", "DELETE FROM packs"] {
        #expect(throws: StoreFailure.self) {
          try store.catalog.write { (connection) throws(StoreFailure) in try connection.run(sql) }
        }
      }
    }
    #expect(try temporary.open().createVersion(pack: id, actor: TemporaryStore.actor).number == 4)
  }

  @Test func manyThreadsCreateVersionsAtOnce() async throws {
    let store = try temporary.open()
    let app = try store.makeApp()
    let pack = try store.createPack(app: app.id, identifier: "a", actor: store.actor)
    let results = Mutex<[Result<Int, any Error>]>([])
    let threads = (0..<64).map { _ in
      Thread {
        let result = Result { try store.createVersion(pack: pack.id, actor: store.actor).number }
        results.withLock { $0.append(result) }
      }
    }
    for thread in threads { thread.start() }
    while results.withLock({ $0.count }) < 64 { await Task.yield() }
    let numbers = try results.withLock { try $0.map { try $0.get() } }
    #expect(numbers.sorted() == Array(1...64))
    #expect(try store.versions(pack: pack.id, page: PageRequest(limit: 200)).items.map(\.number) == (1...64).reversed())
  }

  @Test func versionsAreFiltered() throws {
    let store = try temporary.open()
    let app = try store.makeApp()
    let pack = try store.createPack(app: app.id, identifier: "a", actor: store.actor)
    let first = try store.makeVersion(pack)
    _ = try store.createVersion(pack: pack.id, actor: store.actor)
    func numbers(_ filter: VersionFilter) throws -> [Int] {
      try store.versions(pack: pack.id, filter: filter).items.map(\.number)
    }
    #expect(try numbers(.init()) == [2, 1])
    #expect(try numbers(.init(number: 2)) == [2])
    #expect(try numbers(.init(state: .complete)) == [1])
    #expect(try numbers(.init(sha256: first.sha256)) == [1])
    #expect(try numbers(.init(sha256: "00")) == [])
    #expect(try store.newestCompleteVersion(pack: pack.id)?.number == 1)
  }
}
