import AssetPacks
import Foundation
import Testing

@testable import PackStore
import Values

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

  @Test func aRotationGivesANewSecretAndTheOldOneEnds() throws {
    let store = try temporary.open()
    let first = try store.createToken(name: "ci", role: .publisher, actor: store.actor)
    let (second, end) = try store.rotateToken(first.record.id, overlap: 100, actor: store.actor)
    #expect(end == 1_800_000_100)
    #expect(second.record.id == first.record.id)
    #expect(second.secret != first.secret)
    let (third, _) = try store.rotateToken(first.record.id, overlap: 10, actor: store.actor)
    for secret in [first.secret, second.secret, third.secret] { #expect(try store.verifyToken(secret) != nil) }
    temporary.time.advance(10)
    #expect(try store.verifyToken(first.secret) != nil)
    #expect(try store.verifyToken(second.secret) == nil)
    temporary.time.advance(90)
    #expect(try store.verifyToken(first.secret) == nil)
    let (fourth, none) = try store.rotateToken(first.record.id, overlap: 0, actor: store.actor)
    #expect(none == nil)
    #expect(try store.verifyToken(third.secret) == nil)
    #expect(try store.verifyToken(fourth.secret)?.id == first.record.id)
    #expect(try store.auditLog().items.first?.action == "token.rotate")
  }

  @Test func aRevocationEndsEverySecretAndNoNewOneIsGiven() throws {
    let store = try temporary.open()
    let first = try store.createToken(name: "ci", role: .publisher, actor: store.actor)
    let (second, _) = try store.rotateToken(first.record.id, overlap: 1000, actor: store.actor)
    _ = try store.revokeToken(first.record.id, actor: store.actor)
    for secret in [first.secret, second.secret] { #expect(try store.verifyToken(secret) == nil) }
    #expect(throws: StoreFailure.self) { _ = try store.rotateToken(first.record.id, overlap: 0, actor: store.actor) }
    let short = try store.createToken(name: "b", role: .viewer, expires: 1_800_000_005, actor: store.actor)
    let (longer, _) = try store.rotateToken(short.record.id, overlap: 1000, actor: store.actor)
    temporary.time.advance(5)
    for secret in [short.secret, longer.secret] { #expect(try store.verifyToken(secret) == nil) }
  }

  @Test func theTimeOfAUseIsKeptOnceAnHour() throws {
    let store = try temporary.open()
    let token = try store.createToken(name: "ci", role: .publisher, actor: store.actor)
    #expect(try store.token(token.record.id).lastUsed == nil)
    for (seconds, expected) in [(0, 0), (10, 0), (3589, 0), (1, 3600), (3000, 3600)] as [(Int64, Int64)] {
      temporary.time.advance(seconds)
      _ = try store.verifyToken(token.secret)
      #expect(try store.token(token.record.id).lastUsed == 1_800_000_000 + expected)
    }
  }

  @Test(arguments: [([], ""), ([0xff], "_w"), ([0xfb, 0xff], "-_8"), ([1, 2, 3], "AQID")] as [([UInt8], String)])
  func base64URLHasNoPadding(bytes: [UInt8], text: String) { #expect(Base64URL.encode(bytes) == text) }
}
