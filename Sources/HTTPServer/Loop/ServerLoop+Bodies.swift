import HTTPCore

// Requests with a body: collected for a worker, or received chunk by chunk.
extension ServerLoop {
  /// Takes from the front of `input`; returns how much.
  func take(_ connection: Connection, _ intake: BodyIntake, _ input: UnsafeRawBufferPointer) -> Int {
    connection.deadline = now + limits.uploadStall
    let (consumed, step) = intake.take(input)
    switch step {
    case .needsMore: break
    case .hasChunk: advance(connection, intake)
    case .tooLarge:
      abandonAndAnswer(connection, intake, .bodyTooLarge)
    case .fault(let fault):
      abandonAndAnswer(connection, intake, .fault(fault))
    }
    return consumed
  }

  /// Hands over what is ready: a full chunk, the end of the body, or the whole body.
  func advance(_ connection: Connection, _ intake: BodyIntake) {
    switch intake.purpose {
    case .work(let request, let answer):
      guard intake.hasEnded else { return }
      var request = request
      request.body = intake.takeChunk()
      let complete = request
      connection.phase = .waiting
      submit(connection) { answer(complete) }
    case .receive(let receiver):
      guard !intake.isWriting else { return }
      if intake.chunk.count >= BodyIntake.chunkSize || intake.hasEnded && !intake.chunk.isEmpty {
        write(connection, intake, receiver)
      } else if intake.hasEnded {
        let total = intake.written
        connection.phase = .waiting
        connection.request.isReceived = true
        if !submit(connection, { receiver.finish(total) }) { receiver.abandon() }
      }
    }
  }

  private func write(_ connection: Connection, _ intake: BodyIntake, _ receiver: BodyReceiver) {
    let offset = intake.written
    let chunk = intake.takeChunk()
    let token = connection.token
    let mailbox = mailbox
    intake.isWriting = workers.submit {
      let refusal = chunk.withUnsafeBytes { receiver.write(offset, $0) }
      mailbox.post(.chunkWritten(token, refusal))
    }
    if intake.isWriting {
      intake.written += chunk.count
    } else {
      counters.add(.workersBusy, listener: connection.listener)
      abandonAndAnswer(connection, intake, .overloaded)
    }
  }

  /// A worker has written a chunk, or has refused it.
  func chunkWritten(_ token: UInt64, _ refusal: Message?) {
    if let intake = orphans.removeValue(forKey: token) {
      intake.isWriting = false
      return abandon(intake, token)
    }
    guard let connection = connection(token), case .body(let intake) = connection.phase else { return }
    intake.isWriting = false
    if let refusal {
      abandonAndAnswer(connection, intake, refusal)
    } else {
      advance(connection, intake)
    }
    drive(connection)
  }

  /// Answers before the body has ended; the connection cannot be used again.
  private func abandonAndAnswer(_ connection: Connection, _ intake: BodyIntake, _ message: Message) {
    abandon(intake, connection.token)
    connection.phase = .waiting
    connection.request.keepAlive = false
    answer(connection, message)
  }

  /// Tells the receiver that the rest will not come: now, or when its worker is done.
  func abandon(_ intake: BodyIntake, _ token: UInt64) {
    guard case .receive(let receiver) = intake.purpose, !intake.isAbandoned else { return }
    if intake.isWriting {
      orphans[token] = intake
      return
    }
    intake.isAbandoned = true
    if !workers.submit({ receiver.abandon() }) { receiver.abandon() }
  }

  /// Runs `work` on a worker and answers with its result; 503 and false when all of them are busy.
  @discardableResult
  func submit(_ connection: Connection, _ work: @escaping @Sendable () -> Message) -> Bool {
    let token = connection.token
    let mailbox = mailbox
    connection.deadline = now + limits.uploadStall
    let isQueued = workers.submit { mailbox.post(.answer(token, work())) }
    if !isQueued {
      counters.add(.workersBusy, listener: connection.listener)
      answer(connection, .overloaded)
    }
    return isQueued
  }
}
