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
