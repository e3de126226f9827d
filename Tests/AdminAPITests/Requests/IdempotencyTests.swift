import AssetPacks
import Foundation
import JSONText
import PackStore
import Synchronization
import Testing

@testable import AdminAPI

/// A `POST` that is sent again with its `Idempotency-Key` does its work once.
@Suite struct IdempotencyTests {
  private static let app = #""attributes":{"bundleId":"com.example.a"}"#

  @Test func aRepeatGetsTheSameAnswerAndDoesNothing() throws {
    let fixture = try APIFixture()
    let first = fixture.post("apps", Self.app, key: "k1")
    #expect(first.status == 201)
    #expect(first.field("Idempotency-Replayed") == nil)
    for _ in 0..<3 {
      let again = fixture.post("apps", Self.app, key: "k1")
      #expect(again.status == 201)
      #expect(again.body == first.body)
      #expect(again.field("Location") == first.field("Location"))
      #expect(again.field("Idempotency-Replayed") == "true")
      #expect(again.field("Content-Type") == "application/json")
    }
    #expect(fixture.get("/v1/apps").total == 1)
    // Versions would get another number each time.
    let pack = fixture.pack("p", app: first.id)
    let body = #""relationships":{"backgroundAsset":{"data":{"type":"backgroundAssets","id":"\#(pack)"}}}"#
    let versions = (0..<3).map { _ in fixture.post("backgroundAssetVersions", body, key: "v1").id }
    #expect(Set(versions).count == 1)
    #expect(fixture.post("backgroundAssetVersions", body, key: "v2").id != versions[0])
    #expect(fixture.post("backgroundAssetVersions", body).id != versions[0])
  }

  @Test func aKeyStandsForOneRequestOfOneToken() throws {
    let fixture = try APIFixture()
    let app = fixture.post("apps", Self.app, key: "k").id
    let otherBody = fixture.post("apps", #""attributes":{"bundleId":"com.example.b"}"#, key: "k")
    #expect(otherBody.status == 409)
    #expect(otherBody.code == "IDEMPOTENCY_KEY_REUSED")
    #expect(otherBody.errors.first?.source == "Idempotency-Key")
    let otherPath = fixture.send(
      .post, "/v1/releases", #"{"data":{"type":"apps",\#(Self.app)}}"#, [("Idempotency-Key", "k")])
    #expect(otherPath.code == "IDEMPOTENCY_KEY_REUSED")
    // Another token's key is another key, and its work is done.
    let other = try fixture.store.createToken(name: "o", role: .admin, actor: Actor(name: "test")).secret
    let reply = fixture.post("apps", #""attributes":{"bundleId":"com.example.b"}"#, key: "k", token: other)
    #expect(reply.status == 201)
    #expect(reply.id != app)
  }

  @Test func onlyVisibleASCIIIsAKey() throws {
    let fixture = try APIFixture()
    for key in ["", " ", "a b", "ä", "a\u{7f}", String(repeating: "k", count: 256)] {
      let reply = fixture.post("apps", Self.app, key: key)
      #expect(reply.status == 400, "\(key)")
      #expect(reply.code == "IDEMPOTENCY_KEY_INVALID")
    }
    #expect(fixture.get("/v1/apps").total == 0)
    #expect(fixture.post("apps", Self.app, key: String(repeating: "~", count: 255)).status == 201)
  }

  @Test func aRefusalKeepsNothing() throws {
    let fixture = try APIFixture()
    #expect(fixture.post("apps", #""attributes":{"bundleId":"no id/"}"#, key: "k").status == 422)
    #expect(fixture.send(.post, "/v1/apps", "{", [("Idempotency-Key", "k")]).status == 400)
    #expect(fixture.post("apps", Self.app, key: "k").status == 201)
    #expect(fixture.post("apps", Self.app, key: "k2").code == "ALREADY_EXISTS")
  }

  @Test func keysAreKeptADayAndSurviveARestart() throws {
    let fixture = try APIFixture()
    let app = fixture.app("com.example.b")
    let pack = fixture.pack("p", app: app)
    let body = #""relationships":{"backgroundAsset":{"data":{"type":"backgroundAssets","id":"\#(pack)"}}}"#
    let first = fixture.post("backgroundAssetVersions", body, key: "k")
    let copy = try fixture.copy()
    fixture.time.advance(24 * 3600 - 1)
    #expect(fixture.post("backgroundAssetVersions", body, key: "k").id == first.id)
    let restarted = try APIFixture(state: copy, time: fixture.time)
    #expect(restarted.post("backgroundAssetVersions", body, key: "k").body == first.body)
    fixture.time.advance(1)
    #expect(fixture.post("backgroundAssetVersions", body, key: "k").id != first.id)
    #expect(restarted.post("backgroundAssetVersions", body, key: "k").id != first.id)
  }

  /// What is on the disk while the work is done and its answer is not: what a kill at this moment leaves.
  @Test func aKillBetweenTheWorkAndItsAnswerDoesTheWorkOnce() throws {
    let fixture = try APIFixture()
    let copies = Mutex<[(folder: String, token: String)]>([])
    fixture.whenPublished { [unowned fixture] in
      if let copy = try? fixture.copy() { copies.withLock { $0.append(copy) } }
    }
    let first = fixture.post("apps", Self.app, key: "k")
    fixture.whenPublished(nil)
    let copy = try #require(copies.withLock { $0.first })
    let restarted = try APIFixture(state: copy, time: fixture.time)
    let again = restarted.post("apps", Self.app, key: "k")
    #expect(again.status == 201)
    #expect(again.id == first.id)
    #expect(again.field("Location") == "/v1/apps/\(first.id)")
    #expect(again.field("Idempotency-Replayed") == "true")
    #expect(restarted.get("/v1/apps").total == 1)
    #expect(restarted.post("apps", #""attributes":{"bundleId":"com.example.b"}"#, key: "k").status == 409)
  }

  @Test func workWithoutAResourceOfItsOwnIsNotDoneAgainEither() throws {
    let fixture = try APIFixture()
    let app = fixture.app()
    let key = IdempotencyKey(
      token: try #require(try fixture.store.tokens().first).id, text: "k", request: "POST /v1/releases",
      bodySHA256: "4d9b0e2a8d5a3ff9c7f8e3a5d7e0d4a4e8f7c8e8f7a6b5c4d3e2f1a0b9c8d7e6")
    try fixture.store.keepAnswer(nil, key: key, subject: nil)
    let reused = fixture.post("releases", #""attributes":{}"#, key: "k")
    #expect(reused.code == "IDEMPOTENCY_KEY_REUSED")
    let body = "{}"
    try fixture.store.keepAnswer(
      nil,
      key: IdempotencyKey(
        token: key.token, text: "k2", request: "POST /v1/releases",
        bodySHA256: "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"), subject: app)
    let reply = fixture.send(.post, "/v1/releases", body, [("Idempotency-Key", "k2")])
    #expect(reply.status == 409)
    #expect(reply.code == "IDEMPOTENCY_ANSWER_NOT_KEPT")
  }

  @Test func secretsInAnswersAreNotKept() throws {
    let fixture = try APIFixture()
    let body = #""attributes":{"name":"ci","role":"viewer"}"#
    #expect(fixture.post("tokens", body, key: "k").status == 201)
    let again = fixture.post("tokens", body, key: "k")
    #expect(again.status == 409)
    #expect(again.code == "IDEMPOTENCY_ANSWER_NOT_KEPT")
    #expect(try fixture.store.tokens().filter { $0.name == "ci" }.count == 1)
    let token = try #require(try fixture.store.tokens().first { $0.name == "t" })
    #expect(try fixture.store.idempotencyRecord(token: token.id, text: "k")?.answer == nil)
  }

  @Test func aRepeatWhileTheFirstIsRunningIsToldSo() throws {
    let fixture = try APIFixture()
    let inside = Mutex<Reply?>(nil)
    fixture.whenPublished { [unowned fixture] in
      let reply = fixture.post("apps", Self.app, key: "k")
      inside.withLock { $0 = reply }
    }
    #expect(fixture.post("apps", Self.app, key: "k").status == 201)
    let reply = try #require(inside.withLock { $0 })
    #expect(reply.status == 409)
    #expect(reply.code == "IDEMPOTENCY_IN_PROGRESS")
    #expect(reply.field("Retry-After") == "1")
    fixture.whenPublished(nil)
    #expect(fixture.post("apps", Self.app, key: "k").field("Idempotency-Replayed") == "true")
  }

  @Test func manyAtOnceDoTheWorkOnce() throws {
    let fixture = try APIFixture()
    let statuses = Mutex<[UInt16]>([])
    DispatchQueue.concurrentPerform(iterations: 16) { _ in
      let status = fixture.post("apps", Self.app, key: "k").status
      statuses.withLock { $0.append(status) }
    }
    #expect(fixture.get("/v1/apps").total == 1)
    #expect(statuses.withLock { Set($0) }.isSubset(of: [201, 409]))
    #expect(statuses.withLock { $0.contains(201) })
  }

  @Test func onlySoManyAnswersAreKeptWithTheirBody() throws {
    let fixture = try APIFixture()
    let answer = KeptAnswer(status: 201, location: nil, body: [0x7b, 0x7d])
    func key(_ number: Int) -> IdempotencyKey {
      IdempotencyKey(token: "t", text: "k\(number)", request: "POST /", bodySHA256: "0")
    }
    let count = IdempotencyRecord.keptBodies + 5
    for number in 0..<count { try fixture.store.keepAnswer(answer, key: key(number), subject: nil) }
    func record(_ number: Int) throws -> IdempotencyRecord? {
      try fixture.store.idempotencyRecord(token: "t", text: "k\(number)")
    }
    #expect(try record(0) != nil)
    #expect(try record(0)?.answer == nil)
    #expect(try record(4)?.answer == nil)
    #expect(try record(5)?.answer == answer)
    #expect(try record(count - 1)?.answer == answer)
    let long = KeptAnswer(
      status: 201, location: nil, body: [UInt8](repeating: 0x20, count: IdempotencyRecord.bodyLimit + 1))
    try fixture.store.keepAnswer(long, key: key(-1), subject: nil)
    #expect(try record(-1) != nil)
    #expect(try record(-1)?.answer == nil)
  }
}

extension APIFixture {
  /// A copy of the state folder as it is on the disk, and the token.
  func copy() throws -> (folder: String, token: String) {
    let copy = folder + "-copy-\(UUID().uuidString)"
    try FileManager.default.copyItem(atPath: folder, toPath: copy)
    return (copy, token)
  }
}
