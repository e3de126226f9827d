import HTTPCore
import Values

/// A request in progress, as the access log will record it. Made only when there is a log.
struct AccessRecord {
  private let method: [UInt8]
  private let target: [UInt8]
  private let host: [UInt8]
  private let agent: [UInt8]
  private let range: [UInt8]

  /// Copies what will be logged; everything is cut to a bounded length.
  init(_ view: RequestView) {
    method = Self.copy(view.bytes(view.head.methodName), limit: 32)
    var target = Self.copy(view.path, limit: 1024)
    if !view.head.query.isAbsent { target += [UInt8(ascii: "?")] + Self.withoutSignature(view.query) }
    self.target = target
    host = Self.copy(view.authority, limit: 256)
    agent = view.first(.userAgent).map { Self.copy($0, limit: 256) } ?? []
    range = view.first(.range).map { Self.copy($0, limit: 128) } ?? []
  }

  /// A request that could not be parsed: nothing is known of it.
  init() {
    method = []
    target = []
    host = []
    agent = []
    range = []
  }

  private static func copy(_ bytes: UnsafeRawBufferPointer, limit: Int) -> [UInt8] { Array(bytes.prefix(limit)) }

  /// A query without the value of a signature: anyone who has the address of an upload may send its parts, and many
  /// people read logs.
  private static func withoutSignature(_ query: UnsafeRawBufferPointer) -> [UInt8] {
    var shown: [UInt8] = []
    let items = query.prefix(1024).split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    for (place, item) in items.enumerated() {
      if place > 0 { shown.append(UInt8(ascii: "&")) }
      shown += item.starts(with: "signature=".utf8) ? Array("signature=*".utf8) : Array(item)
    }
    return shown
  }

  /// One line of JSON. `duration` is in microseconds, `sent` in bytes of the body.
  func line(
    time: Int64, client: String, tls: String, status: UInt16, sent: Int, isComplete: Bool, duration: Int64,
    label: DeliveryLabel?
  ) -> [UInt8] {
    var line: [UInt8] = Array(
      "{\"time\":\"\(ISO8601.text(unixSeconds: time))\",\"client\":\"\(client)\",\"host\":".utf8)
    Self.append(host, to: &line)
    line += Array(",\"method\":".utf8)
    Self.append(method, to: &line)
    line += Array(",\"target\":".utf8)
    Self.append(target, to: &line)
    line += Array(",\"status\":\(status),\"bytes\":\(sent),\"complete\":\(isComplete)".utf8)
    line += Array(",\"microseconds\":\(duration),\"tls\":\"\(tls)\"".utf8)
    if let label { Self.append(label, to: &line) }
    if !range.isEmpty {
      line += Array(",\"range\":".utf8)
      Self.append(range, to: &line)
    }
    if !agent.isEmpty {
      line += Array(",\"agent\":".utf8)
      Self.append(agent, to: &line)
    }
    line += Array("}\n".utf8)
    return line
  }

  private static func append(_ label: DeliveryLabel, to line: inout [UInt8]) {
    line += Array(",\"app\":".utf8)
    append(Array(label.app.utf8), to: &line)
    if let track = label.track {
      line += Array(",\"track\":".utf8)
      append(Array(track.utf8), to: &line)
    }
    if let pack = label.pack {
      line += Array(",\"pack\":".utf8)
      append(Array(pack.utf8), to: &line)
    }
    if let version = label.version { line += Array(",\"version\":\(version)".utf8) }
  }

  /// A JSON string of bytes that may be anything: what is not printable ASCII is escaped as Latin-1.
  private static func append(_ bytes: [UInt8], to line: inout [UInt8]) {
    line.append(UInt8(ascii: "\""))
    for byte in bytes {
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        line += [UInt8(ascii: "\\"), byte]
      } else if byte >= 32 && byte < 127 {
        line.append(byte)
      } else {
        line += Array("\\u00".utf8)
        appendHexadecimal(byte, to: &line)
      }
    }
    line.append(UInt8(ascii: "\""))
  }
}
