import Glibc
import HTTPCore
import TLS

// From the socket to the request: receive, decrypt, parse.
extension ServerLoop {
  /// Goes on with a connection as far as its socket and its state allow. `quota` is how many bytes of a
  /// large answer it may send before it queues up again.
  func drive(_ connection: Connection, quota: Int = 0) {
    var quota = quota
    while isOpen(connection), step(connection, &quota) {}
    // Answers to pipelined requests have gathered here.
    flush(connection)
  }

  /// One step; false when something must be waited for.
  private func step(_ connection: Connection, _ quota: inout Int) -> Bool {
    guard sendBacklog(connection) else { return false }
    switch connection.phase {
    case .waiting: return false
    case .sending:
      if quota > 0 { return continueSending(connection, &quota) }
      enqueue(connection)
      return false
    case .handshake, .head, .body, .lingering:
      if case .body(let intake) = connection.phase, !intake.hasRoom { return false }
      if consumeCarry(connection) { return true }
      guard isOpen(connection) else { return false }
      if connection.hasEnded {
        // What is here is not a whole request, and the rest will never come.
        if case .head = connection.phase { sayGoodbye(connection) } else { close(connection) }
        return false
      }
      return receive(connection)
    }
  }

  /// Goes on with what was carried over; false when it is not enough for a step.
  private func consumeCarry(_ connection: Connection) -> Bool {
    let held = connection.carry.count
    guard held > 0 else { return false }
    readAndProcess(connection, ciphertext: UnsafeRawBufferPointer(start: nil, count: 0))
    return isOpen(connection) && connection.carry.count != held
  }

  func isOpen(_ connection: Connection) -> Bool {
    let slot = Int(connection.token & 0xffff_ffff)
    return slot < slots.count && slots[slot] === connection
  }

  /// Reads once from the socket and goes on with what came; false when there is nothing to read now.
  private func receive(_ connection: Connection) -> Bool {
    guard connection.isReadable else { return false }
    let count = recv(connection.descriptor.raw, ciphertext.baseAddress, ciphertext.count, 0)
    if count < 0 {
      if errno == EAGAIN { connection.isReadable = false } else if errno != EINTR { close(connection) }
      return isOpen(connection) && connection.isReadable
    }
    if count == 0 {
      inputEnded(connection)
      return isOpen(connection)
    }
    connection.rate.bytes += Int64(count)
    counters.add(.bytesReceived, count, listener: connection.listener)
    // A short read means that the socket is empty, unless the end of the stream waits behind it.
    if count < ciphertext.count && !connection.hasHungUp { connection.isReadable = false }
    if case .lingering = connection.phase { return true }
    let received = UnsafeRawBufferPointer(start: ciphertext.baseAddress, count: count)
    if connection.awaitsProxyHeader {
      takeProxyHeader(connection, received)
    } else {
      readAndProcess(connection, ciphertext: received)
    }
    return isOpen(connection)
  }

  /// The peer will send nothing more. Requests that it has sent before are still answered, all of them.
  private func inputEnded(_ connection: Connection) {
    connection.hasEnded = true
    connection.isReadable = false
  }

  /// Decrypts behind what was carried over, hands it to the connection's phase and carries the rest over.
  func readAndProcess(_ connection: Connection, ciphertext: UnsafeRawBufferPointer) {
    guard let base = plaintext.baseAddress else { return }
    var count = connection.carry.count
    if count > 0, let held = connection.carry.bytes.baseAddress { base.copyMemory(from: held, byteCount: count) }
    if ciphertext.count > 0 {
      connection.tls.take(ciphertext)
      if case .handshake = connection.phase, !shakeHands(connection) { return }
      guard decrypt(connection, into: base, &count) else { return }
    }
    let consumed = process(connection, UnsafeRawBufferPointer(start: base, count: count))
    guard isOpen(connection) else { return }
    if case .lingering = connection.phase { return connection.carry.release() }
    let rest = UnsafeRawBufferPointer(start: base + consumed, count: count - consumed)
    // Unchanged bytes stay where they are.
    if consumed > 0 || count != connection.carry.count { connection.carry.replace(with: rest) }
  }

  /// True when the handshake is done and the same input may hold requests already.
  private func shakeHands(_ connection: Connection) -> Bool {
    let outcome = connection.tls.handshake()
    guard flush(connection) else { return false }
    switch outcome {
    case .bytes:
      connection.phase = .head
      connection.deadline = now + limits.headerTime
      connection.waitsSince = now
      counters.add(connection.tls.isResumed ? .handshakesResumed : .handshakesFull, listener: connection.listener)
      return true
    case .wantsInput: return false
    case .closed, .failed:
      close(connection)
      return false
    }
  }

  /// Reads everything that the given records hold; false when the connection is gone.
  private func decrypt(_ connection: Connection, into base: UnsafeMutableRawPointer, _ count: inout Int) -> Bool {
    while count < plaintext.count {
      let room = UnsafeMutableRawBufferPointer(start: base + count, count: plaintext.count - count)
      switch connection.tls.read(into: room) {
      case .bytes(let read):
        count += read
        if !connection.tls.mayRead { return true }
      case .wantsInput: return true
      case .closed:
        // What came before the good-bye is still answered.
        inputEnded(connection)
        return true
      case .failed:
        flush(connection)
        close(connection)
        return false
      }
    }
    // Cannot happen while carried bytes stay below their limits, and must not become a spin.
    close(connection)
    return false
  }

  /// Goes through `input` as far as the connection's phase takes it; returns how much that was.
  private func process(_ connection: Connection, _ input: UnsafeRawBufferPointer) -> Int {
    var consumed = 0
    while isOpen(connection), consumed < input.count {
      let rest = UnsafeRawBufferPointer(rebasing: input[consumed...])
      switch connection.phase {
      case .head:
        guard connection.backlog.isEmpty, let taken = parse(connection, rest) else { return consumed }
        consumed += taken
      case .body(let intake):
        guard intake.hasRoom else { return consumed }
        consumed += take(connection, intake, rest)
      case .handshake, .waiting, .sending, .lingering:
        return consumed
      }
    }
    return consumed
  }

  /// Parses one head and begins its answer; nil when more bytes are needed.
  private func parse(_ connection: Connection, _ bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let wasIdle = connection.carry.isEmpty
    switch connection.parser.parse(bytes, fields: fields) {
    case .needMore:
      if wasIdle {
        connection.deadline = now + limits.headerTime
        connection.waitsSince = now
      }
      return nil
    case .refused(let fault):
      beginUnreadable(connection)
      refuse(connection, fault)
      return bytes.count
    case .complete(let head):
      connection.parser.reset()
      guard let slots = UnsafePointer(fields.baseAddress) else { return nil }
      var view = RequestView(base: base, head: head, fields: slots)
      connection.request = RequestFacts(
        isHead: head.method == .head, minorVersion: head.minorVersion,
        keepAlive: head.keepAlive && !connection.closesAfterAnswer)
      beginRecord(connection, view)
      if connection.isBehindProxy, !believe(view, connection) {
        begin(connection, view, .message(.tooManyForOneAddress))
        return head.headLength
      }
      view.client = connection.request.forwardedClient ?? connection.client
      begin(connection, view, endpoints[connection.listener].responder(view))
      return head.headLength
    }
  }
}
