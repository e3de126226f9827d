/// What each loop counts for each of its listeners. All of them only rise.
package enum ServerCounter: Int, CaseIterable, Sendable {
  case accepted, closed
  /// Connections that were closed at once because a limit was reached.
  case refusedByTotal, refusedByAddress, refusedByDescriptors
  /// Connections without a request that were closed for a new client.
  case gaveWay
  /// Requests that were refused because their forwarded address has too many in progress.
  case refusedRequests
  /// A trusted proxy sent no PROXY header, or one that cannot be read.
  case refusedProxyHeaders
  case handshakesFull, handshakesResumed, handshakesFailed
  /// On the wire: records and handshakes, not only bodies.
  case bytesReceived, bytesSent
  /// By the first digit of the status; `unanswered` when the client was gone before there was one.
  case unanswered, informational, successful, redirected, clientErrors, serverErrors
  /// By what the answer was: a representation or its range, what preconditions came to, or a message.
  case whole, range, notModified, preconditionFailed, unsatisfiable, message
  case handshakeTimeouts, headTimeouts, idleTimeouts, bodyTimeouts, sendTimeouts, rateTimeouts
  /// 431 and 414, 413, 503 for want of a worker, and the system's limit of descriptors or memory.
  case headsTooLong, bodiesTooLong, workersBusy, descriptorsExhausted
  /// 503 because too many requests are in progress, 200 because of too many ranges, and 507.
  case requestsTooMany, rangesTooMany, disksFull
  /// Bodies that went to their receiver whole and were taken: parts of uploads.
  case bodiesReceived

  /// The counter of a status.
  static func status(_ status: UInt16) -> ServerCounter {
    switch status / 100 {
    case 1: .informational
    case 2: .successful
    case 3: .redirected
    case 4: .clientErrors
    case 5: .serverErrors
    default: .unanswered
    }
  }

  /// The counter of a representation's answer.
  static func kind(_ status: UInt16) -> ServerCounter {
    switch status {
    case 200: .whole
    case 206: .range
    case 304: .notModified
    case 412: .preconditionFailed
    case 416: .unsatisfiable
    default: .message
    }
  }
}
