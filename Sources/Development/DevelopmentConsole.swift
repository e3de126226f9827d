import AssetPacks
import Daemon
import Delivery
import HTTPCore
import HTTPServer
import JSONText
import PackStore
import Synchronization
import SystemIO
import TLS

/// What a development server does beside delivering: it shows a page with the first steps, hands out the profile with
/// its authority, and keeps and records what is asked for. Exists in `packhouse dev` only.
final class DevelopmentConsole: Sendable {
  /// What the page tells of the server.
  struct Facts: Sendable {
    let bundleID: String
    /// `https://192.168.1.20:8443`.
    let baseURL: String
    let manifestURL: String
    /// Hosts that are allowed.
    let hosts: [String]
    /// Whether only this machine can connect.
    let isLoopbackOnly: Bool
  }

  private let facts: Facts
  private let profile: TrustProfile
  private let recorder: RequestRecorder?
  private let ring = Mutex(RequestRing())
  private let service = Mutex<Service?>(nil)

  init(facts: Facts, profile: TrustProfile, recorder: RequestRecorder?) {
    self.facts = facts
    self.profile = profile
    self.recorder = recorder
  }

  /// Where the page gets packs and numbers from, once it runs.
  func attach(_ service: Service) { self.service.withLock { $0 = service } }

  /// Ends the recording.
  func stop() {
    service.withLock { $0 = nil }
    recorder?.stop()
  }

  /// The client listener's answers: the console's own paths, and the snapshot's.
  func responder(_ snapshot: Snapshot) -> Responder {
    { request in
      let plan = snapshot.respond(request)
      // Only where devices get nothing, and only for hosts that are allowed: those get 421 and not 404.
      if case .message(let message) = plan, message.status == 404, let own = self.own(request) { return own }
      self.note(request, plan)
      return plan
    }
  }

  /// The answer to a path of the console's own; nil for all others.
  private func own(_ request: RequestView) -> ResponsePlan? {
    guard request.head.method == .get || request.head.method == .head else { return nil }
    switch String(decoding: request.path, as: UTF8.self) {
    case "/": return .work(bodyLimit: 0) { _ in self.page() }
    case Self.logPath: return .work(bodyLimit: 0) { self.log($0) }
    case Self.profilePath:
      note(request, status: 200, label: nil)
      return .message(
        Message(
          status: 200, contentType: "application/x-apple-aspen-config", body: profile.bytes,
          fields: [("Content-Disposition", "attachment; filename=\"packhouse.mobileconfig\"")] + Self.fields))
    default: return nil
    }
  }

  static let logPath = "/dev/log"
  static let profilePath = "/dev/packhouse.mobileconfig"
  private static let fields = [("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff")]

  private func page() -> Message {
    let packs = entries
    let policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'"
    return Message(
      status: 200, contentType: "text/html; charset=utf-8",
      body: Array(DevelopmentPage(facts: facts, authority: profile.name, packs: packs).html.utf8),
      fields: [("Content-Security-Policy", policy), ("Referrer-Policy", "no-referrer")] + Self.fields)
  }

  /// What is live.
  private var entries: [ReceivedManifest.Entry] {
    guard let service = service.withLock({ $0 }), let live = try? service.store.liveState() else { return [] }
    let app = live.apps.first { $0.bundleID == facts.bundleID }
    let record = app?.manifests.first { $0.track == .production && $0.scope == .all }
    return record.flatMap { try? ReceivedManifest.parse($0.bytes) }?.entries ?? []
  }

  /// The requests after the number in `after`, and the hints.
  private func log(_ request: OwnedRequest) -> Message {
    let after = request.queryItems.first { $0.0 == "after" }.flatMap { Int($0.1) } ?? 0
    let events = ring.withLock { $0.all }
    let hints = RequestHints(
      bundleID: facts.bundleID, hosts: facts.hosts,
      failedHandshakes: service.withLock { $0 }?.failedClientHandshakes ?? 0, now: WallClock.system.now()
    ).sentences(events)
    let document: JSONValue = [
      "last": .integer(events.last?.number ?? 0),
      "events": .array(events.filter { $0.number > after }.map(\.json)),
      "hints": .array(hints.map { .string($0) }),
    ]
    return Message(status: 200, contentType: "application/json", body: document.serialize(), fields: Self.fields)
  }

  private func note(_ request: RequestView, _ plan: ResponsePlan) {
    switch plan {
    case .representation(let representation, let selection):
      note(request, status: selection.status, label: representation.label)
    case .message(let message): note(request, status: message.status, label: nil)
    case .work, .receive: note(request, status: 0, label: nil)
    }
  }

  private func note(_ request: RequestView, status: UInt16, label: DeliveryLabel?) {
    func text(_ bytes: UnsafeRawBufferPointer, _ limit: Int) -> String {
      String(decoding: bytes.prefix(limit), as: UTF8.self)
    }
    let query = request.head.query.isAbsent ? "" : "?" + text(request.query, 512)
    let kind: RequestEvent.Kind = label.map { $0.pack == nil ? .manifest : .pack } ?? .other
    let version = label?.version.map { " version \($0)" } ?? ""
    let event = RequestEvent(
      time: WallClock.system.now(), method: text(request.bytes(request.head.methodName), 16),
      target: text(request.path, 512) + query, host: text(request.authority, 128),
      agent: request.first(.userAgent).map { text($0, 160) } ?? "", status: status, kind: kind,
      subject: (label?.pack ?? label?.track ?? "") + version)
    ring.withLock { $0.add(event) }
    recorder?.record(request, status: status, event: event)
  }
}
