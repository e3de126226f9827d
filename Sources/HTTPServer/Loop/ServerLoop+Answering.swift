import Glibc
import HTTPCore
import SystemIO

// From a response plan to the bytes of an answer.
extension ServerLoop {
  /// Carries out what the responder decided for the request in `view`.
  func begin(_ connection: Connection, _ view: RequestView, _ plan: ResponsePlan) {
    switch plan {
    case .representation(let representation, let selection):
      if selection == .whole, view.namesTooManyRanges {
        counters.add(.rangesTooMany, listener: connection.listener)
      }
      leaveBodyUnread(connection, view)
      answer(connection, representation, selection)
    case .message(let message):
      leaveBodyUnread(connection, view)
      answer(connection, message)
    case .work, .receive:
      guard load.beginWork(limit: limits.requestsInHand) else {
        counters.add(.requestsTooMany, listener: connection.listener)
        leaveBodyUnread(connection, view)
        return answer(connection, .overloaded)
      }
      connection.request.isInHand = true
      work(connection, view, plan)
    }
  }

  /// Carries out a plan that needs a worker.
  private func work(_ connection: Connection, _ view: RequestView, _ plan: ResponsePlan) {
    switch plan {
    case .representation, .message: break
    case .work(let limit, let answer):
      let request = OwnedRequest(view, body: [], remoteAddress: connection.address)
      take(
        connection, view, BodyIntake(purpose: .work(request, answer), framing: view.head.framing, limit: limit), limit)
    case .receive(let receiver):
      take(
        connection, view, BodyIntake(purpose: .receive(receiver), framing: view.head.framing, limit: receiver.limit),
        receiver.limit)
    }
  }

  /// A body that nobody wants is not read: the answer is the connection's last one.
  private func leaveBodyUnread(_ connection: Connection, _ view: RequestView) {
    if view.head.framing != .none { connection.request.keepAlive = false }
  }

  private func take(_ connection: Connection, _ view: RequestView, _ intake: BodyIntake, _ limit: Int) {
    connection.phase = .body(intake)
    connection.deadline = now + limits.uploadStall
    if case .length(let announced) = view.head.framing, announced > limit {
      abandon(intake, connection.token)
      connection.phase = .waiting
      connection.request.keepAlive = false
      return answer(connection, .bodyTooLarge)
    }
    if intake.hasEnded { return advance(connection, intake) }
    if view.head.expectsContinue {
      let line: StaticString = "HTTP/1.1 100 Continue\r\n\r\n"
      _ = connection.tls.write(UnsafeRawBufferPointer(start: line.utf8Start, count: line.utf8CodeUnitCount))
    }
  }

  /// Refuses a request that could not be read: nothing behind it can be trusted.
  func refuse(_ connection: Connection, _ fault: RequestFault) {
    if case .body(let intake) = connection.phase { abandon(intake, connection.token) }
    connection.phase = .waiting
    connection.request.keepAlive = false
    answer(connection, .fault(fault))
  }

  func answer(_ connection: Connection, _ message: Message) {
    let facts = connection.request
    let keepAlive = facts.keepAlive && !message.closes && !connection.closesAfterAnswer
    let length = ResponseHeadWriter.write(
      message, date: UnsafeRawBufferPointer(start: date, count: 29), keepAlive: keepAlive,
      minorVersion: facts.minorVersion, into: outgoing)
    let body = facts.isHead ? 0 : message.body.count
    connection.request.status = message.status
    start(connection, headLength: length, Transfer(source: .message(message), offset: 0, remaining: body), keepAlive)
  }

  private func answer(_ connection: Connection, _ representation: Representation, _ selection: Selection) {
    let facts = connection.request
    let keepAlive = facts.keepAlive && !connection.closesAfterAnswer
    let length = ResponseHeadWriter.write(
      representation, selection, date: UnsafeRawBufferPointer(start: date, count: 29), keepAlive: keepAlive,
      minorVersion: facts.minorVersion, into: outgoing)
    var transfer = Transfer(source: .representation(representation), offset: 0, remaining: 0)
    switch selection {
    case .whole: transfer.remaining = representation.length
    case .range(let offset, let count):
      transfer.offset = offset
      transfer.remaining = count
    case .parts(let body):
      transfer = Transfer(source: .parts(body, representation), offset: 0, remaining: body.length)
    case .notModified, .preconditionFailed, .unsatisfiable: break
    }
    if facts.isHead { transfer.remaining = 0 }
    connection.request.status = selection.status
    start(connection, headLength: length, transfer, keepAlive)
  }

  /// Sends the head, which stands at the start of `outgoing`, together with the first bytes of the body.
  private func start(_ connection: Connection, headLength: Int?, _ transfer: Transfer, _ keepAlive: Bool) {
    guard let headLength else { return close(connection) }
    connection.closesAfterAnswer = !keepAlive
    connection.request.bodyLength = transfer.remaining
    connection.phase = .sending(transfer)
    connection.deadline = now + limits.sendStall
    // A small answer is one record; of a large one the rest follows in turns.
    let first = transfer.remaining <= 16_384 ? transfer.remaining : ServerLoop.sharedTurn
    sendPiece(connection, after: headLength, atMost: first)
  }
}
