import EventLoop
import Foundation
import Glibc
import HTTPCore
import HTTPServer
import Synchronization
import SystemIO
import TLS

/// An HTTPS server on the loopback address that takes webhook deliveries, and answers as a test says.
final class WebhookReceiver {
  /// One delivery as it came.
  struct Delivery: Sendable {
    let fields: [String: String]
    let body: [UInt8]
    /// What it was answered with.
    let status: UInt16

    var event: String { fields["x-packhouse-event"] ?? "" }
    var id: String { fields["x-packhouse-delivery"] ?? "" }
    var json: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:] }
    var attributes: [String: Any] { (json["data"] as? [String: Any])?["attributes"] as? [String: Any] ?? [:] }
    /// What happened, in words that can be compared.
    var words: String { "\(event) \(attributes["subject"] ?? "") \(attributes["newValue"] ?? "")" }
  }

  private struct State: Sendable {
    var deliveries: [Delivery] = []
    /// For the next deliveries; 200 when there are no more.
    var statuses: [UInt16] = []
    var fields: [(name: String, value: String)] = []
    var body: [UInt8] = []
  }

  private final class Shared: Sendable {
    let state = Mutex(State())
  }

  private let shared = Shared()
  private let server: HTTPServer
  private let workers: WorkerPool
  let port: UInt16
  var url: String { "https://localhost:\(port)/hook" }

  /// With a certificate of `authority`.
  init(_ authority: TestAuthority, names: [String] = ["localhost"]) throws {
    let leaf = try authority.authority.issueLeaf(names: names, now: WallClock.system.now())
    let tls = try ServerTLSContext(
      certificate: PEMText(file: "leaf", bytes: leaf.certificatePEM), key: PEMText(file: "key", bytes: leaf.keyPEM))
    workers = try WorkerPool(name: "receiver", threads: 2, capacity: 64)
    let shared = shared
    let listener = HTTPServer.Listener(sockets: [.init(host: "127.0.0.1", port: 0)], tls: tls) { _ in
      .work(bodyLimit: 1 << 20) { request in
        shared.state.withLock { state in
          let status = state.statuses.isEmpty ? 200 : state.statuses.removeFirst()
          var fields: [String: String] = ["method": request.methodName, "path": request.path]
          for field in request.fields { fields[field.name.lowercased()] = field.value }
          state.deliveries.append(Delivery(fields: fields, body: request.body, status: status))
          return Message(status: status, contentType: "text/plain", body: state.body, fields: state.fields)
        }
      }
    }
    server = try HTTPServer(listeners: [listener], loopCount: 1, limits: ServerLimits(), workers: workers)
    port = UInt16(server.addresses[0][0].split(separator: ":").last ?? "") ?? 0
  }

  deinit {
    server.drain(graceSeconds: 1)
    workers.stop()
  }

  /// What came so far.
  var deliveries: [Delivery] { shared.state.withLock { $0.deliveries } }
  /// What came and was answered with 200.
  var taken: [Delivery] { deliveries.filter { $0.status == 200 } }

  /// Answers the next deliveries with these.
  func answer(_ statuses: [UInt16], fields: [(name: String, value: String)] = [], body: [UInt8] = []) {
    shared.state.withLock {
      $0.statuses = statuses
      $0.fields = fields
      $0.body = body
    }
  }

  /// Waits until the deliveries are as a test wants them.
  @discardableResult
  func wait(_ what: String = "", until isThere: ([Delivery]) -> Bool) throws -> [Delivery] {
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
      let found = deliveries
      if isThere(found) { return found }
      guard ContinuousClock.now < deadline else {
        throw Failure("\(what) not there after 60 s: \(found.map { "\($0.words) \($0.status)" })")
      }
      usleep(10_000)
    }
  }
}

extension TestDaemon {
  /// A service whose webhooks may go to a receiver on the loopback address.
  static func withWebhooks(_ settings: String = "", privateNetworks: String = "\"127.0.0.0/8\", \"::1\"") throws -> (
    TestDaemon, WebhookReceiver
  ) {
    let authority = try TestAuthority()
    let folder = try TemporaryFolder()
    let path = try folder.write("receivers.pem", authority.authority.certificatePEM)
    let daemon = try service(
      settings: """
        webhooks: {
          hosts: ["localhost", "127.0.0.1"], privateNetworks: [\(privateNetworks)], authority: "\(path)",
          firstRetry: "1 s", \(settings)
        },
        """)
    daemon.kept = folder
    return (daemon, try WebhookReceiver(authority))
  }
}

extension AdminClient {
  /// Makes a webhook; its id.
  func webhook(
    _ url: String, app: String? = nil, events: [String]? = nil, secret: String? = "0123456789abcdef"
  ) throws -> APIResource {
    var attributes: [String: Any] = ["url": url]
    if let events { attributes["eventTypes"] = events }
    if let secret { attributes["secret"] = secret }
    return try create("webhooks", attributes, app.map { ("app", "apps", $0) }).expect(201).resource
  }

  func deliveries(_ webhook: String) throws -> [APIResource] {
    try get("/v1/webhooks/\(webhook)/deliveries?limit=200").expect(200).resources
  }

  /// Reads the webhook until it is as a test wants it.
  func wait(webhook id: String, until isThere: (APIResource) -> Bool) throws -> APIResource {
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
      let found = try get("/v1/webhooks/\(id)").expect(200).resource
      if isThere(found) { return found }
      guard ContinuousClock.now < deadline else { throw Failure("not there after 60 s: \(found.json)") }
      usleep(20_000)
    }
  }
}
