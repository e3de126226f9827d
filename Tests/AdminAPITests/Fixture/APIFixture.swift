import AssetPacks
import Foundation
import HTTPCore
import JSONText
import Observability
import Synchronization
import SystemIO

@testable import AdminAPI
@testable import PackStore

/// The API over a state folder of its own, without a server.
final class APIFixture: Sendable {
  let folder: String
  let store: PackStore
  let api: AdminAPI
  /// An administrator's.
  let token: String
  let time: TestTime
  private let published: PublishedHook

  /// A time that a test sets.
  final class TestTime: Sendable {
    private let value = Mutex<Int64>(1_800_000_000)
    var clock: WallClock { WallClock { self.value.withLock { $0 } } }
    func advance(_ seconds: Int64) { value.withLock { $0 += seconds } }
  }

  /// What is done between a change and its answer.
  final class PublishedHook: Sendable {
    let action = Mutex<(@Sendable () -> Void)?>(nil)
    func run() { action.withLock { $0 }?() }
  }

  /// - Parameter state: a state folder to go on with, and its token; a new one otherwise.
  init(state: (folder: String, token: String)? = nil, time: TestTime = TestTime()) throws {
    folder = state?.folder ?? NSTemporaryDirectory() + "packhouse-api-\(UUID().uuidString)"
    self.time = time
    var options = StoreOptions(folder: folder, publicBaseURL: "https://a.example")
    options.clock = time.clock
    store = try PackStore(options)
    token = try state?.token ?? store.createToken(name: "t", role: .admin, actor: Actor(name: "test")).secret
    let hook = PublishedHook()
    published = hook
    api = try AdminAPI(
      store: store,
      dependencies: AdminAPI.Dependencies(
        bodyLimit: 1 << 20, isReady: { true }, published: { hook.run() }, settled: { _ in }, committed: {}),
      log: Log(threshold: .error), clock: time.clock)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func whenPublished(_ action: (@Sendable () -> Void)?) { published.action.withLock { $0 = action } }

  func send(
    _ method: RequestMethod, _ target: String, _ body: String = "", _ fields: [(String, String)] = [],
    token: String? = nil
  ) -> Reply {
    let parts = target.split(separator: "?", maxSplits: 1)
    let request = OwnedRequest(
      method: method, path: String(parts[0]), query: parts.count > 1 ? String(parts[1]) : nil,
      authority: "a.example", fields: [("Authorization", "Bearer \(token ?? self.token)")] + fields,
      body: Array(body.utf8))
    do throws(APIFailure) {
      return Reply(try api.answer(request))
    } catch {
      return Reply(error.message)
    }
  }

  func get(_ target: String, _ fields: [(String, String)] = []) -> Reply { send(.get, target, "", fields) }

  /// A create with an `Idempotency-Key`, when one is given.
  func post(_ type: String, _ data: String, key: String? = nil, token: String? = nil) -> Reply {
    send(
      .post, "/v1/\(type)", #"{"data":{"type":"\#(type)",\#(data)}}"#, key.map { [("Idempotency-Key", $0)] } ?? [],
      token: token)
  }

  func app(_ bundleID: String = "com.example.a") -> String {
    post("apps", #""attributes":{"bundleId":"\#(bundleID)"}"#).id
  }

  func pack(_ identifier: String, app: String) -> String {
    post(
      "backgroundAssets",
      #""attributes":{"assetPackIdentifier":"\#(identifier)"},"#
        + #""relationships":{"app":{"data":{"type":"apps","id":"\#(app)"}}}"#
    ).id
  }

  func version(pack: String) -> String {
    post(
      "backgroundAssetVersions",
      #""relationships":{"backgroundAsset":{"data":{"type":"backgroundAssets","id":"\#(pack)"}}}"#
    ).id
  }
}

/// An answer of the API.
struct Reply: Sendable {
  let status: UInt16
  let body: [UInt8]
  private let message: Message

  init(_ message: Message) {
    self.message = message
    status = message.status
    body = message.body
  }

  func field(_ name: String) -> String? { message.value(of: name) }
  var text: String { String(decoding: body, as: UTF8.self) }
  var json: JSONValue { (try? JSONParser.parse(body))?.root ?? .null }
  var id: String { json["data"]?["id"]?.string ?? "" }
  var items: [JSONValue] { json["data"]?.array ?? [] }
  var ids: [String] { items.compactMap { $0["id"]?.string } }
  var included: [JSONValue] { json["included"]?.array ?? [] }
  var total: Int? { json[["meta", "paging", "total"]]?.int }
  var next: String? { json["links"]?["next"]?.string }
  /// The codes and sources of the errors.
  var errors: [(code: String, source: String)] {
    (json["errors"]?.array ?? []).map { error in
      let source = error["source"]?.object?.members.first?.value.string ?? ""
      return (error["code"]?.string ?? "", source)
    }
  }
  var detail: String { json["errors"]?.array?.first?["detail"]?.string ?? "" }
  var code: String { errors.first?.code ?? "" }
}
