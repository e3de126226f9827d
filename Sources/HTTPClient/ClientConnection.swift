import HTTPCore
import SystemIO
import TLS

/// One connection to one origin, and the exchange of a request and an answer on it.
final class ClientConnection {
  let origin: HTTPSURL
  private let connection: BlockingTLSConnection
  private let reader: ResponseReader
  private(set) var isReusable = true
  private(set) var exchanges = 0
  /// Whether the head of the running exchange's answer has arrived.
  private(set) var hasAnswered = false

  private static let pieceSize = 64 * 1024

  init(
    to url: HTTPSURL, tls: ClientTLS, patience: ClientPatience, admits: HTTPSClient.AddressRule? = nil
  ) throws(HTTPClientFailure) {
    origin = url
    let socket = try SocketConnector.connect(to: url, patience: patience, admits: admits)
    do throws(TLSFailure) {
      connection = try BlockingTLSConnection(
        over: socket, context: tls, host: url.host, label: url.label, patience: patience)
    } catch { throw .tls(error) }
    reader = ResponseReader(connection, label: url.label)
  }

  /// Whether the next request may go over this connection. Input while nothing was asked for is the server's goodbye.
  var isReady: Bool { isReusable && !reader.hasLeftovers && !connection.hasInput() }

  func close() { connection.close() }

  /// Sends the request and reads the answer; `sink` gets the body. After a failure the connection is not reusable.
  func exchange(
    _ request: ClientRequest, userAgent: String,
    sink: (ClientResponse, UnsafeRawBufferPointer) throws(HTTPClientFailure) -> Void
  ) throws(HTTPClientFailure) -> ClientResponse {
    let head = try request.head(userAgent: userAgent)
    hasAnswered = false
    exchanges += 1
    let mayContinue = isReusable
    isReusable = false
    let wasSentWhole: Bool
    do throws(HTTPClientFailure) {
      wasSentWhole = try send(request, head: head)
    } catch {
      // A server that refuses a body answers and closes; its answer says more than the broken pipe does.
      guard case .tls(.system) = error, connection.hasInput() else { throw error }
      let original = error
      do throws(HTTPClientFailure) { return try answer(to: request, sink: sink).response } catch {
        throw hasAnswered ? error : original
      }
    }
    let (response, keepsAlive) = try answer(to: request, sink: sink)
    isReusable = mayContinue && keepsAlive && wasSentWhole && !reader.hasLeftovers
    return response
  }

  private func answer(
    to request: ClientRequest, sink: (ClientResponse, UnsafeRawBufferPointer) throws(HTTPClientFailure) -> Void
  ) throws(HTTPClientFailure) -> (response: ClientResponse, keepsAlive: Bool) {
    let head = try reader.head()
    hasAnswered = true
    let response = ClientResponse(status: head.status, fields: head.fields, url: request.url)
    let framing: ResponseFraming
    do throws(ResponseFailure) {
      framing = try head.framing(forMethod: request.method == "HEAD" ? .head : .get)
    } catch { throw .malformedResponse(request.url.label, reason: error.sentence) }
    try reader.body(framing) { bytes throws(HTTPClientFailure) in try sink(response, bytes) }
    return (response, head.keepAlive && framing != .untilClose)
  }

  /// False when the server answered before it had everything, and sending was given up.
  private func send(_ request: ClientRequest, head: [UInt8]) throws(HTTPClientFailure) -> Bool {
    switch request.body {
    case .none:
      try send(head)
    case .bytes(let body) where body.count <= Self.pieceSize:
      // One record for head and body, where they fit.
      try send(head + body)
      request.onProgress?(Int64(body.count))
    case .bytes(let body):
      return try stream(request, head: head, length: Int64(body.count)) { offset, buffer in
        body.withUnsafeBytes { bytes in
          let rest = bytes[min(bytes.count, Int(offset))...].prefix(buffer.count)
          buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest))
          return rest.count
        }
      }
    case .source(let length, let read):
      return try stream(request, head: head, length: length, read: read)
    }
    return true
  }

  private func stream(
    _ request: ClientRequest, head: [UInt8], length: Int64,
    read: (Int64, UnsafeMutableRawBufferPointer) throws(SystemFailure) -> Int
  ) throws(HTTPClientFailure) -> Bool {
    try send(head)
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 16)
    defer { piece.deallocate() }
    var sent: Int64 = 0
    while sent < length {
      if connection.hasInput() { return false }
      let wanted = UnsafeMutableRawBufferPointer(
        rebasing: piece[..<Int(clamping: min(Int64(piece.count), length - sent))])
      let count: Int
      do throws(SystemFailure) { count = try read(sent, wanted) } catch { throw .system(error) }
      guard count > 0, count <= wanted.count else { throw .requestBodyShort(length: length, at: sent) }
      try send(UnsafeRawBufferPointer(rebasing: wanted[..<count]))
      sent += Int64(count)
      request.onProgress?(sent)
    }
    return true
  }

  private func send(_ bytes: [UInt8]) throws(HTTPClientFailure) {
    try bytes.withUnsafeBufferPointer { buffer throws(HTTPClientFailure) in try send(UnsafeRawBufferPointer(buffer)) }
  }

  private func send(_ bytes: UnsafeRawBufferPointer) throws(HTTPClientFailure) {
    do throws(TLSFailure) { try connection.send(bytes) } catch { throw .tls(error) }
  }
}
