import Glibc
import HTTPCore
import TLS

// From the socket to the request: receive, decrypt, parse.
extension ServerLoop {
  /// Advances a connection as far as its socket and its state allow. `quota` is how many bytes of a
  /// large answer it may send before it queues up again.
  func drive(_ connection: Connection, quota: Int = 0) {
    var quota = quota
    while connection.isOpen, step(connection, &quota) {}
    // Answers to pipelined requests have gathered here.
    flush(connection)
  }

  /// One step; false when the connection must wait for something.
  private func step(_ connection: Connection, _ quota: inout Int) -> Bool {
    guard sendBacklog(connection) else { return false }
    switch connection.state.need {
    case .nothing: return false
    case .turn:
      if quota > 0 { return continueSending(connection, &quota) }
      enqueue(connection)
      return false
    case .input:
      if let intake = connection.intake, !intake.hasRoom { return false }
      if consumeCarry(connection) { return true }
      guard connection.isOpen else { return false }
      switch connection.state.whenInputIsUsedUp {
      case .receive: return receive(connection)
      case .goodbye: sayGoodbye(connection)
      case .close: close(connection)
      }
      return false
    }
  }

  /// Continues with what was carried over; false when it is not enough for a step.
  private func consumeCarry(_ connection: Connection) -> Bool {
    let held = connection.carry.count
    guard held > 0 else { return false }
    readAndProcess(connection, ciphertext: UnsafeRawBufferPointer(start: nil, count: 0))
    return connection.isOpen && connection.carry.count != held
  }

  /// Reads once from the socket and continues with the input; false when there is nothing to read now.
  private func receive(_ connection: Connection) -> Bool {
    guard connection.isReadable else { return false }
    let count = recv(connection.descriptor.raw, buffers.ciphertext.baseAddress, buffers.ciphertext.count, 0)
    if count < 0 {
      if errno == EAGAIN { connection.isReadable = false } else if errno != EINTR { close(connection) }
      return connection.isOpen && connection.isReadable
    }
    if count == 0 {
      inputEnded(connection)
      return connection.isOpen
    }
    connection.state.socketGave(count)
    counters.add(.bytesReceived, count, listener: connection.listener)
    // A short read means that the socket is empty, unless the end of the stream waits behind it.
    if count < buffers.ciphertext.count && !connection.hasHungUp { connection.isReadable = false }
    if connection.state.phase == .lingering { return true }
    let received = UnsafeRawBufferPointer(start: buffers.ciphertext.baseAddress, count: count)
    if connection.state.phase == .proxyHeader {
      takeProxyHeader(connection, received)
    } else {
      readAndProcess(connection, ciphertext: received)
    }
    return connection.isOpen
  }

  /// The peer will send nothing more. Requests that it has sent before are still answered, all of them.
  private func inputEnded(_ connection: Connection) {
    connection.state.inputEnded()
    connection.isReadable = false
  }

  /// Decrypts behind what was carried over, hands it to the connection's phase and carries the rest over.
  func readAndProcess(_ connection: Connection, ciphertext: UnsafeRawBufferPointer) {
    guard let base = buffers.plaintext.baseAddress else { return }
    var count = connection.carry.count
    if count > 0, let held = connection.carry.bytes.baseAddress { base.copyMemory(from: held, byteCount: count) }
    if ciphertext.count > 0 {
      connection.tls.take(ciphertext)
      if connection.state.phase == .handshake, !shakeHands(connection) { return }
      guard decrypt(connection, into: base, &count) else { return }
    }
    let consumed = process(connection, UnsafeRawBufferPointer(start: base, count: count))
    guard connection.isOpen else { return }
    if connection.state.phase == .lingering { return connection.carry.release() }
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
      connection.state.handshakeEnded(now)
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
    while count < buffers.plaintext.count {
      let room = UnsafeMutableRawBufferPointer(start: base + count, count: buffers.plaintext.count - count)
      switch connection.tls.read(into: room) {
      case .bytes(let read):
        count += read
        if !connection.tls.mayRead { return true }
      case .wantsInput: return true
      case .closed:
        // What came before the close notification is still answered.
        inputEnded(connection)
        return true
      case .failed:
        flush(connection)
        close(connection)
        return false
      }
    }
    // Cannot happen while carried bytes stay below their limits; if it did, the loop must not spin.
    close(connection)
    return false
  }

  /// Goes through `input` as far as the connection's phase takes it; returns how much that was.
  private func process(_ connection: Connection, _ input: UnsafeRawBufferPointer) -> Int {
    var consumed = 0
    while connection.isOpen, consumed < input.count {
      let rest = UnsafeRawBufferPointer(rebasing: input[consumed...])
      switch connection.state.phase {
      case .idle, .head:
        guard connection.backlog.isEmpty, let taken = parse(connection, rest) else { return consumed }
        consumed += taken
      case .body:
        guard let intake = connection.intake, intake.hasRoom else { return consumed }
        consumed += take(connection, intake, rest)
      case .proxyHeader, .handshake, .working, .sending, .awaitingDisk, .awaitingWorker, .flushing, .lingering, .closed:
        return consumed
      }
    }
    return consumed
  }

  /// Parses one head and begins its answer; nil when more bytes are needed.
  private func parse(_ connection: Connection, _ bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    switch connection.parser.parse(bytes, fields: buffers.fields) {
    case .needMore:
      connection.state.headIsIncomplete(now)
      return nil
    case .refused(let fault):
      refuse(connection, fault)
      return bytes.count
    case .complete(let head):
      connection.parser.reset()
      guard let slots = UnsafePointer(buffers.fields.baseAddress) else { return nil }
      var view = RequestView(base: base, head: head, fields: slots)
      connection.state.headCame(keepsAlive: head.keepAlive, framing: head.framing)
      connection.request = RequestFacts(isHead: head.method == .head, minorVersion: head.minorVersion)
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
