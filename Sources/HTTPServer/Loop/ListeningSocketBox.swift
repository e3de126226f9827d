import EventLoop

/// Lets a socket, which cannot be copied, be in a collection.
package final class ListeningSocketBox: Sendable {
  let socket: ListeningSocket
  /// Several loops accept from it.
  let isShared: Bool

  init(_ socket: consuming ListeningSocket) {
    self.socket = socket
    isShared = false
  }

  /// A socket that was handed over, for all loops.
  package init(inherited socket: consuming ListeningSocket) {
    self.socket = socket
    isShared = true
  }

  /// `127.0.0.1:8443` or `[::1]:8443`.
  package var socketAddress: String { socket.address }
}
