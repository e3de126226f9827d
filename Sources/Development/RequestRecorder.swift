import HTTPCore
import JSONText
import Observability
import Synchronization
import SystemIO
import Values

/// Writes the head of every request into a file, one line of JSON each, until the file is full. The file is for
/// finding out what a device sends; secrets in it are left out.
final class RequestRecorder: Sendable {
  /// Bytes that are written at most.
  static let capacity = 64 << 20

  private let log: AccessLog
  private let written = Atomic<Int>(0)

  /// Appends to `path`, which is made when it is missing.
  init(_ path: String) throws(SystemFailure) { log = try AccessLog(.file(path)) }

  /// Never waits for the disk; what does not fit into memory or the file is dropped.
  func record(_ request: RequestView, status: UInt16, event: RequestEvent) {
    guard written.load(ordering: .relaxed) < Self.capacity else { return }
    var line = Self.line(request, status: status, event: event)
    let total = written.wrappingAdd(line.count, ordering: .relaxed).newValue
    if total >= Self.capacity { line += Array("{\"full\":true}\n".utf8) }
    log.append(line)
  }

  func stop() { log.stop() }

  static func line(_ request: RequestView, status: UInt16, event: RequestEvent) -> [UInt8] {
    func text(_ slice: ByteSlice) -> String { String(decoding: request.bytes(slice), as: UTF8.self) }
    let fields = (0..<request.head.fieldCount).map { index -> JSONValue in
      let name = text(request.fields[index].name)
      let isSecret = ["authorization", "cookie", "proxy-authorization"].contains(name.lowercased())
      return [.string(name), .string(isSecret ? "(left out)" : text(request.fields[index].value))]
    }
    let document: JSONValue = [
      "time": .string(ISO8601.text(unixSeconds: event.time)), "method": .string(text(request.head.methodName)),
      "path": .string(text(request.head.path)),
      "query": request.head.query.isAbsent ? .null : .string(text(request.head.query)),
      "authority": .string(event.host), "fields": .array(fields), "status": .integer(status),
      "kind": .string(event.kind.rawValue), "subject": .string(event.subject),
    ]
    return document.serialize() + [0x0A]
  }
}
