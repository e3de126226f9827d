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
      answer(connection, representation, selection)
    case .message(let message):
      answer(connection, message)
    case .work, .receive:
      guard shared.load.beginWork(limit: shared.limits.requestsInHand) else {
        counters.add(.requestsTooMany, listener: connection.listener)
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

  private func take(_ connection: Connection, _ view: RequestView, _ intake: BodyIntake, _ limit: Int) {
    connection.intake = intake
    let framing = view.head.framing
    switch connection.state.bodyIsWanted(framing, limit: limit, expectsContinue: view.head.expectsContinue, now) {
    case .refuse:
      abandonBody(connection)
      answer(connection, .bodyTooLarge)
    case .handOver: advance(connection, intake)
    case .sendContinue:
      let line: StaticString = "HTTP/1.1 100 Continue\r\n\r\n"
      _ = connection.tls.write(UnsafeRawBufferPointer(start: line.utf8Start, count: line.utf8CodeUnitCount))
    case .receive: break
    }
  }

  /// Refuses a request that could not be read: nothing behind it can be trusted.
  func refuse(_ connection: Connection, _ fault: RequestFault) {
    if connection.request.start == 0 { beginUnreadable(connection) }
    refuseBody(connection, .fault(fault))
  }

  func answer(_ connection: Connection, _ message: Message) {
    let keepAlive = connection.state.answerBegins(closes: message.closes, now)
    let length = ResponseHeadWriter.write(
      message, date: clock.date, keepAlive: keepAlive, minorVersion: connection.request.minorVersion,
      into: buffers.outgoing)
    let body = connection.request.isHead ? 0 : message.body.count
    connection.request.status = message.status
    start(connection, headLength: length, Transfer(source: .message(message), offset: 0, remaining: body))
  }

  private func answer(_ connection: Connection, _ representation: Representation, _ selection: Selection) {
    let keepAlive = connection.state.answerBegins(closes: false, now)
    let length = ResponseHeadWriter.write(
      representation, selection, date: clock.date, keepAlive: keepAlive,
      minorVersion: connection.request.minorVersion, into: buffers.outgoing)
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
    if connection.request.isHead { transfer.remaining = 0 }
    connection.request.status = selection.status
    start(connection, headLength: length, transfer)
  }

  /// Sends the head, which is at the start of `outgoing`, together with the first bytes of the body.
  private func start(_ connection: Connection, headLength: Int?, _ transfer: Transfer) {
    guard let headLength else { return close(connection) }
    connection.request.bodyLength = transfer.remaining
    connection.transfer = transfer
    // A small answer is one record; of a large one the rest follows in turns.
    let first = transfer.remaining <= 16_384 ? transfer.remaining : ServerLoop.sharedTurn
    sendPiece(connection, after: headLength, atMost: first)
  }
}
