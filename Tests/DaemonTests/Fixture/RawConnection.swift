import Glibc
import SystemIO
import TLS

/// One TLS connection that speaks in bytes: for what no client would send, and for reading slowly.
final class RawConnection {
  private let connection: BlockingTLSConnection
  private let socket: Int32
  private var received: [UInt8] = []

  /// A small `receiveBuffer` in bytes makes the server wait for the reader.
  init(
    port: UInt16, trust: ClientTLS, host: String = "127.0.0.1", receiveBuffer: Int32? = nil, from source: String? = nil
  )
    throws
  {
    let raw = try PlainConnection.connect(port, receiveBuffer: receiveBuffer, from: source)
    let descriptor = FileDescriptor(owning: raw)
    socket = raw
    _ = fcntl(raw, F_SETFL, O_NONBLOCK)
    connection = try BlockingTLSConnection(
      over: descriptor, context: trust, host: host, label: "\(host):\(port)",
      patience: ClientPatience(noProgress: .seconds(60)))
  }

  func send(_ text: String) throws { try send(Array(text.utf8)) }
  func send(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try connection.send($0) } }

  func close() { connection.close() }

  /// Goes away without a word: the server gets a reset.
  func vanish() {
    PlainConnection.resetAtClose(socket)
    shutdown(socket, Int32(SHUT_RD))
  }

  /// The next answer; nil at the end of the stream.
  func answer(toHead: Bool = false) throws -> Answer? {
    guard let (status, fields) = try head() else { return nil }
    let isBodiless = toHead || status == 304 || status == 204 || status / 100 == 1
    let length = isBodiless ? 0 : Int(fields["content-length"] ?? "0") ?? 0
    return Answer(status: status, fields: fields, body: try bytes(length))
  }

  /// The next head alone.
  func head() throws -> (status: Int, fields: [String: String])? {
    let end: Int
    while true {
      if let found = Self.end(of: received) {
        end = found
        break
      }
      guard try more() else { return nil }
    }
    let lines = String(decoding: received[..<end], as: UTF8.self).split(separator: "\r\n")
    received.removeFirst(end)
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      fields[line[..<colon].lowercased()] = String(line[line.index(after: colon)...].drop { $0 == " " })
    }
    return (Int(lines.first?.split(separator: " ").dropFirst().first ?? "") ?? 0, fields)
  }

  /// Exactly `count` bytes of a body.
  func bytes(_ count: Int) throws -> [UInt8] {
    while received.count < count {
      guard try more() else { throw Failure("the stream ended after \(received.count) of \(count) bytes") }
    }
    defer { received.removeFirst(count) }
    return Array(received[..<count])
  }

  /// Whether the server has ended the stream.
  func isClosed() throws -> Bool { try received.isEmpty && !more() }

  private func more() throws -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65536)
    do {
      let count = try buffer.withUnsafeMutableBytes { try connection.receive(into: $0) }
      received += buffer[0..<count]
      return count > 0
    } catch TLSFailure.closed {
      return false
    }
  }

  private static func end(of bytes: [UInt8]) -> Int? {
    let mark: [UInt8] = [13, 10, 13, 10]
    guard bytes.count >= 4 else { return nil }
    for start in 0...min(bytes.count - 4, 65536)
    where bytes[start] == 13 && bytes[start..<(start + 4)].elementsEqual(mark) {
      return start + 4
    }
    return nil
  }
}
