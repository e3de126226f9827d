import Testing

@testable import PackStore

@Suite final class AuditTests {
  let temporary = TemporaryStore()

  deinit { temporary.remove() }

  @Test func aLineSaysWhoFromWhere() throws {
    let store = try temporary.open()
    let actor = Actor(name: "ci", tokenID: "t", address: "192.0.2.1", userAgent: String(repeating: "a", count: 1000))
    _ = try store.createApp(bundleID: "com.example.game", actor: actor)
    let line = try #require(try store.auditLog().items.first)
    #expect(line.actor == actor)
    #expect(line.actor.userAgent?.utf8.count == Actor.userAgentLimit)
    #expect(try store.auditRecord(line.number) == line)
    #expect(throws: StoreFailure.notFound(kind: .auditEvent, name: "99")) { _ = try store.auditRecord(99) }
  }

  @Test func linesAreFilteredAndCounted() throws {
    let store = try temporary.open()
    let app = try store.makeApp()
    let other = try store.makeApp("com.example.other")
    temporary.time.advance(100)
    let pack = try store.createPack(app: app.id, identifier: "p", actor: Actor(name: "ci"))
    try store.makeVersion(pack)
    func actions(_ filter: AuditFilter) throws -> [String] {
      let page = try store.auditLog(filter, page: PageRequest(limit: 200))
      #expect(page.total == page.items.count)
      return page.items.map(\.action)
    }
    let all = try actions(AuditFilter())
    #expect(try actions(AuditFilter(app: other.id)) == ["app.create"])
    #expect(try actions(AuditFilter(actor: "ci")) == ["pack.create"])
    #expect(try actions(AuditFilter(action: "app.create")).count == 2)
    #expect(try actions(AuditFilter(action: "version.*")) == all.filter { $0.hasPrefix("version.") })
    #expect(try actions(AuditFilter(action: "vers.*")).isEmpty)
    #expect(try actions(AuditFilter(action: "*")).isEmpty)
    #expect(try actions(AuditFilter(to: 1_800_000_099)) == ["app.create", "app.create"])
    #expect(try actions(AuditFilter(from: 1_800_000_100)).count == all.count - 2)
    #expect(
      try actions(AuditFilter(app: app.id, actor: "ci", action: "pack.*", from: 1_800_000_100)) == ["pack.create"])
    let first = try store.auditLog(AuditFilter(app: app.id), page: PageRequest(limit: 2))
    let second = try store.auditLog(AuditFilter(app: app.id), page: PageRequest(after: first.next, limit: 2))
    #expect(Set(first.items.map(\.number)).isDisjoint(with: second.items.map(\.number)))
    #expect(first.total == second.total)
  }

  @Test func nothingChangesAWrittenLine() throws {
    let store = try temporary.open()
    _ = try store.makeApp()
    for sql in ["UPDATE audit SET address = 'x'", "DELETE FROM audit"] {
      #expect(throws: StoreFailure.self) {
        try store.catalog.write { (connection) throws(StoreFailure) in try connection.run(sql) }
      }
    }
  }
}
