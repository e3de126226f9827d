import CLinux
import Glibc
import HTTPCore
import TLS

// From an answer's bytes to the socket.
extension ServerLoop {
  /// Sends more of the current answer; false when it must wait for the socket, the disk or others' turns.
  func continueSending(_ connection: Connection, _ quota: inout Int) -> Bool {
    let sent = sendPiece(connection, after: 0, atMost: min(quota, ServerLoop.loneTurn))
    quota -= sent
    return sent > 0
  }

  /// Encrypts and sends the `headLength` bytes at the start of `outgoing` and behind them up to `limit`
  /// bytes of the body. Returns how many bytes of the body went out; 0 also when the connection is gone.
  @discardableResult
  func sendPiece(_ connection: Connection, after headLength: Int, atMost limit: Int) -> Int {
    guard connection.state.phase == .sending, var transfer = connection.transfer else { return 0 }
    let wanted = min(limit, transfer.remaining, buffers.outgoing.count - headLength)
    var count = 0
    if wanted > 0 {
      let room = UnsafeMutableRawBufferPointer(rebasing: buffers.outgoing[headLength..<(headLength + wanted)])
      switch fetch(transfer, into: room) {
      case .bytes(let read): count = read
      case .cold: connection.state.answerIsCold(workerReads: warm(connection.token, transfer))
      case .broken:
        // The length is announced already: cutting the connection is the only honest answer.
        close(connection)
        return 0
      }
    }
    transfer.offset += count
    transfer.remaining -= count
    connection.transfer = transfer
    if headLength + count > 0 {
      let piece = UnsafeRawBufferPointer(rebasing: buffers.outgoing[0..<(headLength + count)])
      guard write(connection, piece) else { return 0 }
    }
    if transfer.remaining == 0 { finish(connection) }
    return count
  }

  /// The result of reading a part of a body.
  private enum Fetched {
    case bytes(Int)
    /// The page cache does not hold it: a worker must wait for the disk.
    case cold
    /// The file is shorter than it was, or cannot be read.
    case broken
  }

  private func fetch(_ transfer: Transfer, into room: UnsafeMutableRawBufferPointer) -> Fetched {
    switch transfer.source {
    case .message(let message):
      message.body.withUnsafeBytes { body in
        room.copyMemory(from: UnsafeRawBufferPointer(rebasing: body[transfer.offset..<(transfer.offset + room.count)]))
      }
      return .bytes(room.count)
    case .representation(let representation):
      return fetch(representation, from: transfer.offset, into: room)
    case .parts(let body, let representation):
      return fetch(body, of: representation, from: transfer.offset, into: room)
    }
  }

  private func fetch(
    _ representation: Representation, from offset: Int, into room: UnsafeMutableRawBufferPointer
  ) -> Fetched {
    switch representation.body {
    case .bytes(let bytes):
      room.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes.pointer[offset..<(offset + room.count)]))
      return .bytes(room.count)
    case .file(let descriptor, _):
      var count = packhouse_pread_nowait(descriptor, room.baseAddress, room.count, offset)
      if count < 0 && errno == EOPNOTSUPP {
        count = pread(descriptor, room.baseAddress, room.count, offset)
      }
      if count > 0 { return .bytes(count) }
      return count < 0 && (errno == EAGAIN || errno == EINTR) ? .cold : .broken
    }
  }

  /// Fills `room` with parts and what separates them, as far as both are in memory.
  private func fetch(
    _ body: MultipartBody, of representation: Representation, from offset: Int, into room: UnsafeMutableRawBufferPointer
  ) -> Fetched {
    var filled = 0
    while filled < room.count, let segment = body.segment(at: offset + filled) {
      switch segment {
      case .text(let text):
        let count = min(text.count, room.count - filled)
        UnsafeMutableRawBufferPointer(rebasing: room[filled...])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: text[0..<count]))
        filled += count
      case .content(let start, let length):
        let end = filled + min(length, room.count - filled)
        let fetched = fetch(
          representation, from: start, into: UnsafeMutableRawBufferPointer(rebasing: room[filled..<end]))
        guard case .bytes(let count) = fetched else { return filled > 0 ? .bytes(filled) : fetched }
        filled += count
      }
    }
    return filled > 0 ? .bytes(filled) : .broken
  }

  /// Has a worker read the next part once, so that it is in memory when the loop reads it again; false when none is
  /// free.
  private func warm(_ token: UInt64, _ transfer: Transfer) -> Bool {
    guard let (representation, offset, rest) = transfer.nextContent else { return false }
    let mailbox = mailbox
    let count = min(rest, ServerLoop.loneTurn)
    return shared.workers.submit {
      guard case .file(let descriptor, _) = representation.body else { return }
      let worked = withUnsafeTemporaryAllocation(byteCount: count, alignment: 4096) { buffer in
        pread(descriptor, buffer.baseAddress, count, offset) > 0
      }
      mailbox.post(.warmed(token, worked: worked))
    }
  }

  func warmed(_ token: UInt64, _ worked: Bool) {
    guard let connection = connections[token], connection.state.answerIsWarm() else { return }
    guard worked else { return close(connection) }
    drive(connection)
  }

  /// The answer is complete: on to the next request, or close.
  private func finish(_ connection: Connection) {
    endRecord(connection, isComplete: true)
    connection.transfer = nil
    switch connection.state.answerEnded(now) {
    case .nextRequest: break
    case .goodbye: sayGoodbye(connection)
    }
  }

  /// Ends the output once everything before it is sent, and waits for the peer to do the same.
  func sayGoodbye(_ connection: Connection) {
    if connection.isGone { return close(connection) }
    connection.tls.shutdown()
    guard flush(connection) else { return }
    connection.carry.release()
    switch connection.state.goodbyeIsSaid(backlogIsEmpty: connection.backlog.isEmpty, now) {
    case .wait: break
    case .close: close(connection)
    case .endOutput: endOutput(connection)
    }
  }

  private func endOutput(_ connection: Connection) { Glibc.shutdown(connection.descriptor.raw, Int32(SHUT_WR)) }

  /// Encrypts `bytes` into the sink, sending when it fills up; false when the connection is gone.
  private func write(_ connection: Connection, _ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes
    while rest.count > 0 {
      let count = min(rest.count, sink.roomForPlaintext)
      if count > 0 {
        guard case .bytes = connection.tls.write(UnsafeRawBufferPointer(rebasing: rest[0..<count])) else {
          close(connection)
          return false
        }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
      // Small answers to pipelined requests leave together, when the input is used up.
      if rest.count > 0 || sink.count >= ServerLoop.sharedTurn, !flush(connection) { return false }
    }
    return true
  }

  /// Sends what the sink holds; what the socket does not take waits with the connection. False when the
  /// connection is gone.
  @discardableResult
  func flush(_ connection: Connection) -> Bool {
    let records = sink.bytes
    guard records.count > 0 else { return connection.isOpen }
    guard connection.isOpen else {
      sink.removeAll()
      return false
    }
    guard connection.backlog.isEmpty else {
      // Only answers that are small follow each other without waiting for the socket.
      connection.backlog.append(records)
      sink.removeAll()
      return true
    }
    var count = 0
    if connection.isWritable {
      repeat {
        count = send(connection.descriptor.raw, records.baseAddress, records.count, Int32(MSG_NOSIGNAL))
      } while count < 0 && errno == EINTR
    }
    if count < 0 && errno != EAGAIN {
      close(connection)
      return false
    }
    let sent = max(0, count)
    if sent < records.count {
      connection.isWritable = false
      connection.backlog.replace(with: UnsafeRawBufferPointer(rebasing: records[sent...]))
    }
    noteSent(connection, sent)
    sink.removeAll()
    return true
  }

  /// Counts what the socket took. A peer that has read its first mebibyte gets as much of the kernel's memory as its
  /// line can use; until then the little that every newcomer gets.
  private func noteSent(_ connection: Connection, _ count: Int) {
    if connection.state.socketTook(count, backlogIsEmpty: connection.backlog.isEmpty, now) { endOutput(connection) }
    counters.add(.bytesSent, count, listener: connection.listener)
    guard connection.isNewcomer else { return }
    connection.bytesTaken += count
    guard connection.bytesTaken > 1 << 20 else { return }
    connection.isNewcomer = false
    // 0 means the system's default, which is no limit.
    var unsent: Int32 = 0
    setsockopt(connection.descriptor.raw, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, &unsent, 4)
  }

  /// Sends what waited for the socket; true when nothing is left waiting.
  func sendBacklog(_ connection: Connection) -> Bool {
    while !connection.backlog.isEmpty {
      guard connection.isWritable else { return false }
      let bytes = connection.backlog.bytes
      let count = send(connection.descriptor.raw, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      if count < 0 {
        if errno == EINTR { continue }
        if errno == EAGAIN { connection.isWritable = false } else { close(connection) }
        return false
      }
      connection.backlog.drop(count)
      noteSent(connection, count)
    }
    return true
  }
}
