import CLinux
import Glibc
import SystemIO

/// What the kernel says about one descriptor.
package struct Readiness: Sendable {
  /// The number given when the descriptor was added.
  package let token: UInt64
  private let bits: UInt32

  init(token: UInt64, bits: UInt32) {
    self.token = token
    self.bits = bits
  }

  /// There may be bytes, an end of stream or an error to read.
  package var isReadable: Bool {
    bits & (packhouse_epoll_in() | packhouse_epoll_rdhup() | packhouse_epoll_hup() | packhouse_epoll_err()) != 0
  }
  /// Nothing can be sent any more: the peer has reset the connection, or both sides have ended.
  package var isGone: Bool { bits & (packhouse_epoll_hup() | packhouse_epoll_err()) != 0 }
  /// The peer has sent its last byte, or the connection is gone.
  package var hasEnded: Bool { bits & (packhouse_epoll_rdhup() | packhouse_epoll_hup() | packhouse_epoll_err()) != 0 }
  /// There may be room to write, or an error to find out about.
  package var isWritable: Bool { bits & (packhouse_epoll_out() | packhouse_epoll_err() | packhouse_epoll_hup()) != 0 }
}

/// An epoll queue. Used by one thread only.
package struct Poller: ~Copyable {
  private let queue: FileDescriptor
  private let events: UnsafeMutablePointer<epoll_event>
  private static let capacity = 256

  /// Throws when the process has no descriptor left.
  package init() throws(SystemFailure) {
    let raw = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard raw >= 0 else { throw SystemFailure("epoll_create1") }
    queue = FileDescriptor(owning: raw)
    events = .allocate(capacity: Self.capacity)
  }

  deinit { events.deallocate() }

  /// Reports input on `descriptor` for as long as there is some (level-triggered).
  package func addLevel(_ descriptor: Int32, token: UInt64) throws(SystemFailure) {
    try add(descriptor, packhouse_epoll_in(), token)
  }

  /// Reports clients that wait at a listening socket. Where several loops share one, a client wakes one of them, not
  /// all (EPOLLEXCLUSIVE, epoll_ctl(2)).
  package func addListener(_ descriptor: Int32, token: UInt64, isShared: Bool) throws(SystemFailure) {
    try add(descriptor, packhouse_epoll_in() | (isShared ? packhouse_epoll_exclusive() : 0), token)
  }

  /// Reports each change to readable and to writable once (edge-triggered), so that a connection
  /// costs one call in its whole life.
  package func addEdges(_ descriptor: Int32, token: UInt64) throws(SystemFailure) {
    let bits = packhouse_epoll_in() | packhouse_epoll_out() | packhouse_epoll_rdhup() | packhouse_epoll_et()
    try add(descriptor, bits, token)
  }

  private func add(_ descriptor: Int32, _ bits: UInt32, _ token: UInt64) throws(SystemFailure) {
    var event = epoll_event(events: bits, data: epoll_data_t(u64: token))
    guard epoll_ctl(queue.raw, EPOLL_CTL_ADD, descriptor, &event) == 0 else { throw SystemFailure("epoll_ctl") }
  }

  /// Stops reports for `descriptor`; closing it does the same.
  package func remove(_ descriptor: Int32) {
    var event = epoll_event()
    _ = epoll_ctl(queue.raw, EPOLL_CTL_DEL, descriptor, &event)
  }

  /// Waits at most `milliseconds` (−1 forever) and hands each report to `body`.
  package func wait(milliseconds: Int32, _ body: (Readiness) -> Void) {
    let count = epoll_wait(queue.raw, events, Int32(Self.capacity), milliseconds)
    guard count > 0 else { return }
    for index in 0..<Int(count) {
      let event = events[index]
      body(Readiness(token: event.data.u64, bits: event.events))
    }
  }
}
