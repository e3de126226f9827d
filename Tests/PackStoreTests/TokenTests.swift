import AssetPacks
import Foundation
import Testing

@testable import PackStore

@Suite final class TokenTests {
  let temporary = TemporaryStore()

  deinit { temporary.remove() }

  @Test func aTokenIsShownOnceAndVerified() throws {
    let store = try temporary.open()
    let app = try store.makeApp()
    let token = try store.createToken(name: "ci", role: .publisher, app: app.id, actor: store.actor)
    #expect(token.secret.hasPrefix("ph_"))
    #expect(token.secret.utf8.count == 46)
    let identity = try #require(try store.verifyToken(token.secret))
    #expect(identity == TokenIdentity(id: token.record.id, name: "ci", role: .publisher, appID: app.id))
    #expect(try store.tokens().map(\.lastUsed) == [1_800_000_000])
    #expect(try store.verifyToken(token.secret + "x") == nil)
    #expect(try store.verifyToken("") == nil)
    let catalog = try Data(contentsOf: URL(fileURLWithPath: "\(temporary.folder)/catalog.sqlite-wal"))
    #expect(catalog.range(of: Data(token.secret.utf8)) == nil)
  }

  @Test func revokedAndExpiredTokensAreWorthless() throws {
    let store = try temporary.open()
    let revoked = try store.createToken(name: "a", role: .admin, actor: store.actor)
    #expect(try store.revokeToken(revoked.record.id, actor: store.actor).revoked != nil)
    #expect(try store.verifyToken(revoked.secret) == nil)
    let short = try store.createToken(name: "b", role: .viewer, expires: 1_800_000_010, actor: store.actor)
    #expect(try store.verifyToken(short.secret) != nil)
    temporary.time.advance(10)
    #expect(try store.verifyToken(short.secret) == nil)
    #expect(throws: StoreFailure.notFound(kind: .token, name: "x")) {
      _ = try store.revokeToken("x", actor: store.actor)
    }
  }

  @Test(arguments: [([], ""), ([0xff], "_w"), ([0xfb, 0xff], "-_8"), ([1, 2, 3], "AQID")] as [([UInt8], String)])
  func base64URLHasNoPadding(bytes: [UInt8], text: String) { #expect(base64url(bytes) == text) }
}
