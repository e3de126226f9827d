import HTTPCore
import JSONText
import Values

/// A request as the development page shows it.
struct RequestEvent: Sendable, Equatable {
  /// What was asked for.
  enum Kind: String, Sendable {
    case manifest, pack, other
  }

  /// Counts up from 1.
  var number = 0
  /// Seconds since 1970.
  let time: Int64
  let method: String
  /// Path and query as sent, cut to a bounded length.
  let target: String
  /// Host and port as sent.
  let host: String
  /// User-Agent.
  let agent: String
  let status: UInt16
  let kind: Kind
  /// The pack's ID and version, or the manifest's track.
  let subject: String

  /// Whether a person's browser, or a tool, asked rather than a device's system.
  var isFromBrowser: Bool {
    ["Mozilla/", "curl/", "packhouse"].contains { agent.hasPrefix($0) }
  }

  var json: JSONValue {
    [
      "number": .integer(number), "time": .string(ISO8601.text(unixSeconds: time)), "method": .string(method),
      "target": .string(target), "host": .string(host), "agent": .string(agent), "status": .integer(status),
      "kind": .string(kind.rawValue), "subject": .string(subject),
    ]
  }
}

/// The latest requests, in a ring of a fixed length.
struct RequestRing: Sendable {
  static let capacity = 400

  private var events: [RequestEvent] = []
  private var next = 0
  private(set) var count = 0

  mutating func add(_ event: RequestEvent) {
    count += 1
    var event = event
    event.number = count
    if events.count < Self.capacity {
      events.append(event)
    } else {
      events[next] = event
      next = (next + 1) % Self.capacity
    }
  }

  /// All that are kept, the oldest first.
  var all: [RequestEvent] { Array(events[next...] + events[..<next]) }
}

/// What the requests of the last while say about a device that gets no packs: sentences for a person.
struct RequestHints {
  let bundleID: String
  /// The hosts that are allowed.
  let hosts: [String]
  /// TLS handshakes that came to nothing.
  let failedHandshakes: Int
  /// Seconds since 1970.
  let now: Int64

  /// Seconds after which a manifest without a pack is remarkable.
  private static let patience: Int64 = 10

  /// One sentence for each thing that was noticed; the likeliest first.
  func sentences(_ events: [RequestEvent]) -> [String] {
    let known = events.contains { $0.status == 200 && !$0.isFromBrowser }
    var found: [String] = []
    if failedHandshakes > 0, !known {
      found.append(
        "\(failedHandshakes) TLS connection\(failedHandshakes == 1 ? " was" : "s were") broken off: the device does "
          + "not trust the authority yet (install the profile, then switch full trust on), or came in under a name "
          + "that the certificate is not for (\(hosts.joined(separator: ", "))).")
    }
    found += wrongHosts(events) + stale(events)
    if let sentence = manifestWithoutPack(events) { found.append(sentence) }
    return found
  }

  private func wrongHosts(_ events: [RequestEvent]) -> [String] {
    var seen: [String] = []
    for event in events where event.status == 421 && !seen.contains(event.host) && seen.count < 3 {
      seen.append(event.host)
    }
    return seen.map { host in
      "A request for the host \(host) was refused: it is on no allow-list. Use one of "
        + "\(hosts.joined(separator: ", ")), and put the same host into BADownloadDomainAllowList."
    }
  }

  /// What asks for things of another time or of another app.
  private func stale(_ events: [RequestEvent]) -> [String] {
    var sentences: [String] = []
    for event in events where event.status == 404 && event.target.hasPrefix("/apps/") {
      let parts = event.target.split(separator: "/")
      guard parts.count > 2 else { continue }
      let app = String(parts[1])
      let sentence =
        app != bundleID
        ? "Something was asked for the app \(app), but this server has \(bundleID): start it with --app \(app)."
        : parts[2] == "packs"
          ? "\(event.target) is not there: the device keeps a manifest of another state folder. Open the app again, or "
            + "type the override URL in again."
          : "Nothing is released for \(event.target); this server releases on the production track."
      if !sentences.contains(sentence), sentences.count < 3 { sentences.append(sentence) }
    }
    return sentences
  }

  private func manifestWithoutPack(_ events: [RequestEvent]) -> String? {
    let devices = events.filter { !$0.isFromBrowser }
    let isAnswered: (RequestEvent) -> Bool = { [200, 206, 304].contains($0.status) }
    guard let manifest = devices.last(where: { $0.kind == .manifest && isAnswered($0) }),
      !devices.contains(where: { $0.kind == .pack && isAnswered($0) && $0.time >= manifest.time - Self.patience }),
      now - manifest.time >= Self.patience
    else { return nil }
    return
      "The manifest was asked for and no pack after it: the app may lack the Local Network permission (error -1004), "
      + "the host may be missing in BADownloadDomainAllowList (error 202), or an allowance may be too small (errors "
      + "203 and 204). Nothing is wrong if the device has these versions already, or if all packs are on demand."
  }
}
