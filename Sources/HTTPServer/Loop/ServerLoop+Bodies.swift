import HTTPCore

// Requests with a body: collected for a worker, or received chunk by chunk.
extension ServerLoop {
  /// Takes from the front of `input`; returns how much.
  func take(_ connection: Connection, _ intake: BodyIntake, _ input: UnsafeRawBufferPointer) -> Int {
    let (consumed, step) = intake.take(input)
    connection.state.bodyCame(hasEnded: intake.hasEnded, now)
    switch step {
    case .needsMore: break
    case .hasChunk: advance(connection, intake)
    case .tooLarge:
      refuseBody(connection, .bodyTooLarge)
    case .fault(let fault):
      refuseBody(connection, .fault(fault))
    }
    return consumed
  }

  /// Hands over what is ready: a full chunk, the end of the body, or the whole body.
  func advance(_ connection: Connection, _ intake: BodyIntake) {
    switch (intake.handover, intake.purpose) {
    case (.work, .work(var request, let answer)):
      request.body = intake.takeChunk()
      let complete = request
      submit(connection) { answer(complete) }
    case (.write, .receive(let receiver)):
      write(connection, intake, receiver)
    case (.finish, .receive(let receiver)):
      let total = intake.written
      connection.request.isReceived = true
      if !submit(connection, { receiver.finish(total) }) { receiver.abandon() }
    case (.nothing, _), (.work, .receive), (.write, .work), (.finish, .work): break
    }
  }

  private func write(_ connection: Connection, _ intake: BodyIntake, _ receiver: BodyReceiver) {
    let offset = intake.written
    let chunk = intake.takeChunk()
    let token = connection.token
    let mailbox = mailbox
    intake.isWriting = shared.workers.submit {
      let refusal = chunk.withUnsafeBytes { receiver.write(offset, $0) }
      mailbox.post(.chunkWritten(token, refusal))
    }
    if intake.isWriting {
      intake.written += chunk.count
    } else {
      counters.add(.workersBusy, listener: connection.listener)
      refuseBody(connection, .overloaded)
    }
  }

  /// A worker has written a chunk, or has refused it.
  func chunkWritten(_ token: UInt64, _ refusal: Message?) {
    if let intake = orphans.removeValue(forKey: token) {
      intake.isWriting = false
      return abandon(intake, token)
    }
    guard let connection = connections[token], let intake = connection.intake else { return }
    intake.isWriting = false
    if let refusal {
      refuseBody(connection, refusal)
    } else {
      advance(connection, intake)
    }
    drive(connection)
  }

  /// Answers before the request has ended; the connection cannot be used again.
  func refuseBody(_ connection: Connection, _ message: Message) {
    abandonBody(connection)
    connection.state.requestIsRefused()
    answer(connection, message)
  }

  /// The rest of the body, if there is more, is no longer wanted.
  func abandonBody(_ connection: Connection) {
    guard let intake = connection.intake else { return }
    connection.intake = nil
    abandon(intake, connection.token)
  }

  /// Tells the receiver that the rest will not come: now, or when its worker is done.
  private func abandon(_ intake: BodyIntake, _ token: UInt64) {
    guard case .receive(let receiver) = intake.purpose, !intake.isAbandoned else { return }
    if intake.isWriting {
      orphans[token] = intake
      return
    }
    intake.isAbandoned = true
    if !shared.workers.submit({ receiver.abandon() }) { receiver.abandon() }
  }

  /// Runs `work` on a worker and answers with its result; 503 and false when all of them are busy.
  @discardableResult
  private func submit(_ connection: Connection, _ work: @escaping @Sendable () -> Message) -> Bool {
    let token = connection.token
    let mailbox = mailbox
    connection.intake = nil
    connection.state.bodyIsHandedOver()
    let isQueued = shared.workers.submit { mailbox.post(.answer(token, work())) }
    if !isQueued {
      counters.add(.workersBusy, listener: connection.listener)
      answer(connection, .overloaded)
    }
    return isQueued
  }
}
