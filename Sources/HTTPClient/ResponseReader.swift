import HTTPCore
import TLS

/// Reads answers from one connection: heads, and bodies piece by piece.
final class ResponseReader {
  private let connection: BlockingTLSConnection
  private let label: String
  /// What was received and not yet used is `start..<end`. Larger than the longest head.
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 128 * 1024, alignment: 16)
  private var start = 0
  private var end = 0

  init(_ connection: BlockingTLSConnection, label: String) {
    self.connection = connection
    self.label = label
  }

  deinit { buffer.deallocate() }

  private var received: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer[start..<end]) }

  /// Whether bytes are there that belong to no answer yet.
  var hasLeftovers: Bool { start < end }

  /// The next final head; interim (1xx) answers are passed over (RFC 9110 section 15.2).
  func head() throws(HTTPClientFailure) -> ResponseHead {
    for _ in 0..<Self.interimLimit {
      var parser = ResponseParser()
      let head = try next(&parser)
      start += head.headLength
      if head.status == 101 { throw malformed("It switched protocols without being asked to.") }
      if head.status >= 200 { return head }
    }
    throw malformed("More than \(Self.interimLimit) interim answers came before the final one.")
  }

  private static let interimLimit = 50

  private func next(_ parser: inout ResponseParser) throws(HTTPClientFailure) -> ResponseHead {
    while true {
      switch parser.parse(received) {
      case .complete(let head): return head
      case .failed(let failure): throw malformed(failure.sentence)
      case .needMore:
        guard try receive() else { throw .tls(.closed(host: label)) }
      }
    }
  }

  /// Hands the body's bytes to `sink` and comes back at its end.
  func body(
    _ framing: ResponseFraming, _ sink: (UnsafeRawBufferPointer) throws(HTTPClientFailure) -> Void
  ) throws(HTTPClientFailure) {
    switch framing {
    case .none: return
    case .length(let length): try lengthBody(length, sink)
    case .chunked: try chunkedBody(sink)
    case .untilClose:
      // TLS tells an end from a cut: without close_notify `receive` throws (RFC 9112 section 9.8).
      repeat { try take(end - start, sink) } while try receive()
    }
  }

  private func lengthBody(
    _ length: Int, _ sink: (UnsafeRawBufferPointer) throws(HTTPClientFailure) -> Void
  ) throws(HTTPClientFailure) {
    var left = length
    while left > 0 {
      if !hasLeftovers {
        let more: Bool
        do throws(HTTPClientFailure) { more = try receive() } catch {
          guard case .tls(.truncated) = error else { throw error }
          more = false
        }
        guard more else {
          throw .bodyTruncated(label, received: Int64(length - left), expected: Int64(length))
        }
      }
      let count = min(left, end - start)
      try take(count, sink)
      left -= count
    }
  }

  private func chunkedBody(
    _ sink: (UnsafeRawBufferPointer) throws(HTTPClientFailure) -> Void
  ) throws(HTTPClientFailure) {
    var decoder = ChunkedDecoder()
    var count: Int64 = 0
    while true {
      var failure: HTTPClientFailure?
      let progress = decoder.decode(received) { content in
        count += Int64(content.count)
        guard failure == nil else { return }
        do throws(HTTPClientFailure) { try sink(content) } catch { failure = error }
      }
      if let failure { throw failure }
      if let fault = progress.fault { throw malformed(fault.sentence) }
      start += progress.consumed
      if progress.isComplete { return }
      let more: Bool
      do throws(HTTPClientFailure) { more = try receive() } catch {
        guard case .tls(.truncated) = error else { throw error }
        more = false
      }
      guard more else { throw .bodyTruncated(label, received: count, expected: nil) }
    }
  }

  private func take(
    _ count: Int, _ sink: (UnsafeRawBufferPointer) throws(HTTPClientFailure) -> Void
  ) throws(HTTPClientFailure) {
    guard count > 0 else { return }
    try sink(UnsafeRawBufferPointer(rebasing: received[..<count]))
    start += count
  }

  /// Waits for more bytes; false when the peer has closed in order.
  private func receive() throws(HTTPClientFailure) -> Bool {
    if start > 0 {
      buffer.copyMemory(from: received)
      end -= start
      start = 0
    }
    // The parser refuses a head before it fills the buffer, and bodies are taken out at once.
    guard end < buffer.count else { throw malformed("It is longer than the client's buffer.") }
    let count: Int
    do throws(TLSFailure) {
      count = try connection.receive(into: UnsafeMutableRawBufferPointer(rebasing: buffer[end...]))
    } catch { throw .tls(error) }
    end += count
    return count > 0
  }

  private func malformed(_ reason: String) -> HTTPClientFailure { .malformedResponse(label, reason: reason) }
}
