import CLinux
import COpenSSL
import Glibc
import SystemIO

/// The socket below a client's TLS connection, and the two memory BIOs between it and OpenSSL. OpenSSL never touches
/// the socket, so that each wait has a limit of ours and a broken pipe is an error and not a signal.
final class ClientSocketBuffers {
  private let socket: FileDescriptor
  /// What came from the peer and OpenSSL has not read; owned by the SSL object.
  private let incoming: OpaquePointer
  /// What OpenSSL wrote and the peer has not got; owned by the SSL object.
  private let outgoing: OpaquePointer
  private let scratch: UnsafeMutableRawBufferPointer
  private let label: String
  private let cancellation: Int32?
  /// The peer has closed its direction, or the connection broke while reading.
  private(set) var inputEnded = false
  /// Sending has failed. What the peer said before that can still be read.
  private(set) var outputEnded = false

  /// How much unread input is buffered while sending.
  private static let inputLimit = 256 * 1024

  init(
    socket: consuming FileDescriptor, incoming: OpaquePointer, outgoing: OpaquePointer, label: String,
    cancellation: Int32? = nil
  ) {
    self.socket = socket
    self.incoming = incoming
    self.outgoing = outgoing
    self.label = label
    self.cancellation = cancellation
    scratch = .allocate(byteCount: 64 * 1024, alignment: 16)
  }

  deinit { scratch.deallocate() }

  /// Sends everything that OpenSSL wrote; drops it once a send has failed. `limit` is the longest time in which not one
  /// byte may move.
  func flush(limit: Duration) throws(TLSFailure) {
    while true {
      let count = BIO_read(outgoing, scratch.baseAddress, Int32(scratch.count))
      guard count > 0 else { return }
      guard !outputEnded else { continue }
      do throws(TLSFailure) {
        try sendAll(UnsafeRawBufferPointer(rebasing: scratch[..<Int(count)]), limit: limit)
      } catch {
        outputEnded = true
        throw error
      }
    }
  }

  private func sendAll(_ bytes: UnsafeRawBufferPointer, limit: Duration) throws(TLSFailure) {
    var rest = bytes
    while !rest.isEmpty {
      let sent = send(socket.raw, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
      if sent > 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest[sent...])
      } else if errno == EAGAIN {
        try waitToSend(limit: limit)
      } else if errno != EINTR {
        throw .system(SystemFailure("send", "to \(label)"))
      }
    }
  }

  /// A peer that answers before it has read everything may stop reading until its answer is taken: so input is taken
  /// in while output waits.
  private func waitToSend(limit: Duration) throws(TLSFailure) {
    let deadline = ContinuousClock.now + limit
    while true {
      let outcome = try wait(reading: !inputEnded && buffered < Self.inputLimit, writing: true, until: deadline)
      guard case .ready(let readable, let writable) = outcome else {
        throw .timedOut(during: "sending to \(label)", seconds: Int(limit.components.seconds))
      }
      if writable { return }
      if readable { _ = try absorbOnce() }
    }
  }

  /// Waits until at least one byte came from the peer; false when the peer has closed.
  func fill(limit: Duration) throws(TLSFailure) -> Bool {
    let deadline = ContinuousClock.now + limit
    while !inputEnded {
      if try absorbOnce() { return true }
      if inputEnded { return false }
      guard case .ready = try wait(reading: true, writing: false, until: deadline) else {
        throw .timedOut(during: "waiting for \(label)", seconds: Int(limit.components.seconds))
      }
    }
    return false
  }

  /// Takes in what is there, without waiting.
  func absorb() throws(TLSFailure) {
    while !inputEnded, buffered < Self.inputLimit, try absorbOnce() {}
  }

  private var buffered: Int { Int(clamping: BIO_ctrl_pending(incoming)) }

  /// One recv(2) that does not wait; true when bytes came.
  private func absorbOnce() throws(TLSFailure) -> Bool {
    // Not `scratch`: it may hold output that is on its way.
    try withUnsafeTemporaryAllocation(byteCount: 32 * 1024, alignment: 16) { buffer throws(TLSFailure) -> Bool in
      while true {
        let count = recv(socket.raw, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        if count > 0 {
          guard BIO_write(incoming, buffer.baseAddress, Int32(count)) == Int32(count) else {
            throw .fromQueue(during: "buffering input")
          }
          return true
        }
        if count == 0 {
          inputEnded = true
          return false
        }
        if errno == EAGAIN { return false }
        if errno != EINTR {
          let failure = SystemFailure("recv", "from \(label)")
          inputEnded = true
          throw .system(failure)
        }
      }
    }
  }

  private func wait(
    reading: Bool, writing: Bool, until deadline: ContinuousClock.Instant
  ) throws(TLSFailure) -> ClientSocketWait.Outcome {
    do throws(SystemFailure) {
      return try ClientSocketWait.wait(
        socket.raw, reading: reading, writing: writing, until: deadline, cancellation: cancellation)
    } catch { throw .system(error) }
  }
}
