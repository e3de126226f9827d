import HTTPCore

/// How much one connection, and all of them together, may use. Time limits apply to progress, never to a whole
/// transfer: a large pack over a slow phone line takes hours.
package struct ServerLimits: Sendable, Equatable {
  /// Limits of a request's head.
  package var request = RequestLimits()
  /// From the first byte of a connection or of a request to the end of the head, in seconds.
  package var headerTime: Int64 = 15
  /// Between two requests, in seconds.
  package var idleTime: Int64 = 75
  /// Without a byte of a body that was announced, in seconds.
  package var uploadStall: Int64 = 60
  /// Without a byte that the peer takes while an answer is sent, in seconds.
  package var sendStall: Int64 = 60
  /// For the peer to close its side after an answer that ends the connection, in seconds.
  package var lingerTime: Int64 = 3
  /// Connections of all loops together, at each listener that has no number of its own.
  package var connections = 10_000
  /// Connections of one address.
  package var connectionsPerAddress = 256
  /// Requests that need a worker, from their head to the end of their answer.
  package var requestsInHand = 4096
  /// The slowest average rate of a transfer in bytes a second; 0 is no limit.
  package var minimumRate: Int64 = 0
  /// The time over which the average is taken, in seconds.
  package var rateWindow: Int64 = 60

  package init() {}
}

extension ServerLimits {
  /// The longest time for `timer`, in seconds.
  func time(_ timer: ConnectionStateMachine.Timer) -> Int64 {
    switch timer {
    case .head: headerTime
    case .nextRequest: idleTime
    case .upload: uploadStall
    case .send: sendStall
    case .linger: lingerTime
    }
  }
}
