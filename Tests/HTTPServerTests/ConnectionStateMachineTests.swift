import HTTPCore
import Testing

@testable import HTTPServer

typealias Phase = ConnectionStateMachine.Phase

/// A connection that has come to `phase` in second 100 by the events that lead there.
func connection(in phase: Phase, framing: BodyFraming = .none) -> ConnectionStateMachine {
  var machine = ConnectionStateMachine(awaitsProxyHeader: true, now: 100)
  if phase == .proxyHeader { return machine }
  machine.proxyHeaderCame()
  if phase == .handshake { return machine }
  machine.handshakeEnded(100)
  if phase == .idle { return machine }
  machine.headIsIncomplete(100)
  if phase == .head { return machine }
  machine.headCame(keepsAlive: true, framing: phase == .body ? .length(10) : framing)
  if phase == .working { return machine }
  if phase == .body {
    _ = machine.bodyIsWanted(.length(10), limit: 10, expectsContinue: false, 100)
    return machine
  }
  _ = machine.answerBegins(closes: phase == .flushing || phase == .lingering, 100)
  switch phase {
  case .awaitingDisk: machine.answerIsCold(workerReads: true)
  case .awaitingWorker: machine.answerIsCold(workerReads: false)
  case .flushing, .lingering:
    _ = machine.answerEnded(100)
    _ = machine.goodbyeIsSaid(backlogIsEmpty: phase == .lingering, 100)
  case .closed: _ = machine.close()
  case .proxyHeader, .handshake, .idle, .head, .body, .working, .sending: break
  }
  return machine
}

@Suite struct ConnectionStateMachineTests {
  /// An event, by its name, and where it leads from each phase; a phase that is missing stays what it is.
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let moves: [Phase: Phase]
    let event: @Sendable (inout ConnectionStateMachine) -> Void
  }

  static let events = [
    Row(testDescription: "PROXY header", moves: [.proxyHeader: .handshake]) { $0.proxyHeaderCame() },
    Row(testDescription: "end of the handshake", moves: [.handshake: .idle]) { $0.handshakeEnded(101) },
    Row(testDescription: "part of a head", moves: [.idle: .head]) { $0.headIsIncomplete(101) },
    Row(testDescription: "head", moves: [.idle: .working, .head: .working]) {
      $0.headCame(keepsAlive: true, framing: .none)
    },
    Row(testDescription: "refusal", moves: [.idle: .working, .head: .working, .body: .working]) {
      $0.requestIsRefused()
    },
    Row(testDescription: "part of a body", moves: [:]) { $0.bodyCame(hasEnded: false, 101) },
    Row(testDescription: "whole body", moves: [.body: .working]) { $0.bodyIsHandedOver() },
    Row(testDescription: "answer", moves: [.working: .sending]) { _ = $0.answerBegins(closes: false, 101) },
    Row(testDescription: "end of the answer", moves: [.sending: .idle]) { _ = $0.answerEnded(101) },
    Row(testDescription: "cold file", moves: [.sending: .awaitingDisk]) { $0.answerIsCold(workerReads: true) },
    Row(testDescription: "cold file without a worker", moves: [.sending: .awaitingWorker]) {
      $0.answerIsCold(workerReads: false)
    },
    Row(testDescription: "file was read", moves: [.awaitingDisk: .sending]) { _ = $0.answerIsWarm() },
    Row(testDescription: "tick in time", moves: [.awaitingWorker: .sending]) { _ = $0.tick(101, ServerLimits()) },
    Row(testDescription: "end of input", moves: [:]) { $0.inputEnded() },
    Row(testDescription: "input", moves: [:]) { $0.socketGave(1) },
    Row(testDescription: "part of the output", moves: [:]) { _ = $0.socketTook(1, backlogIsEmpty: false, 101) },
    Row(testDescription: "rest of the output", moves: [.flushing: .lingering]) {
      _ = $0.socketTook(1, backlogIsEmpty: true, 101)
    },
    Row(
      testDescription: "good-bye",
      moves: Dictionary(uniqueKeysWithValues: Phase.allCases.map { ($0, $0 == .closed ? .closed : .lingering) })
    ) { _ = $0.goodbyeIsSaid(backlogIsEmpty: true, 101) },
    Row(testDescription: "drain", moves: [:]) { _ = $0.drain(hasBacklog: false) },
    Row(testDescription: "close", moves: Dictionary(uniqueKeysWithValues: Phase.allCases.map { ($0, .closed) })) {
      _ = $0.close()
    },
  ]

  @Test(arguments: events) func anEventMovesOnlyThePhasesItIsFor(row: Row) {
    for phase in Phase.allCases {
      var machine = connection(in: phase)
      #expect(machine.phase == phase)
      row.event(&machine)
      #expect(machine.phase == row.moves[phase] ?? phase, "\(phase)")
    }
  }

  @Test func aConnectionCostsFewBytesAndHoldsNoReference() {
    #expect(_isPOD(ConnectionStateMachine.self))
    #expect(_isPOD(ConnectionStateMachine.TickAction.self))
    #expect(MemoryLayout<ConnectionStateMachine>.size <= 40)
  }

  // MARK: Keep-alive and the unread body

  @Test(arguments: [BodyFraming.none, .length(0), .length(10), .chunked], [true, false])
  func aBodyThatNobodyReadsEndsTheConnection(framing: BodyFraming, keepsAlive: Bool) {
    var machine = connection(in: .idle)
    machine.headCame(keepsAlive: keepsAlive, framing: framing)
    let staysOpen = keepsAlive && framing == .none
    #expect(machine.answerBegins(closes: false, 101) == staysOpen)
    #expect(machine.answerEnded(102) == (staysOpen ? .nextRequest : .goodbye))
  }

  @Test(arguments: [BodyFraming.none, .length(0), .length(10), .chunked])
  func aBodyThatWasReadLeavesTheConnectionOpen(framing: BodyFraming) {
    var machine = connection(in: .working, framing: framing)
    let start = machine.bodyIsWanted(framing, limit: 10, expectsContinue: false, 101)
    if framing == .none || framing == .length(0) {
      #expect(start == .handOver)
    } else {
      #expect(start == .receive)
      machine.bodyCame(hasEnded: false, 102)
      #expect(machine.bodyIsUnread)
      machine.bodyCame(hasEnded: true, 103)
    }
    machine.bodyIsHandedOver()
    #expect(machine.answerBegins(closes: false, 104) == true)
    #expect(machine.answerEnded(105) == .nextRequest)
  }

  @Test func aBodyIsAskedForOnlyWhenItIsWantedAndNotTooLarge() {
    let cases: [(BodyFraming, Bool, ConnectionStateMachine.BodyStart)] = [
      (.none, true, .handOver), (.length(0), true, .handOver), (.length(10), true, .sendContinue),
      (.length(10), false, .receive), (.length(11), true, .refuse), (.length(11), false, .refuse),
      (.length(.max), true, .refuse), (.chunked, true, .sendContinue), (.chunked, false, .receive),
    ]
    for (framing, expects, start) in cases {
      var machine = connection(in: .working, framing: framing)
      #expect(machine.bodyIsWanted(framing, limit: 10, expectsContinue: expects, 101) == start, "\(framing)")
      if start == .refuse { #expect(machine.answerBegins(closes: false, 101) == false) }
    }
  }

  @Test(arguments: [Phase.idle, .head, .body]) func theAnswerToWhatIsRefusedIsTheLast(phase: Phase) {
    var machine = connection(in: phase)
    // Even when its last byte was read: its receiver has not taken it.
    machine.bodyCame(hasEnded: true, 100)
    machine.requestIsRefused()
    #expect(machine.answerBegins(closes: false, 101) == false)
    #expect(machine.answerEnded(102) == .goodbye)
  }

  @Test func anAnswerThatClosesIsTheLast() {
    var machine = connection(in: .working)
    #expect(machine.answerBegins(closes: true, 101) == false)
    #expect(machine.answerEnded(102) == .goodbye)
  }

  @Test func oneConnectionAnswersManyRequests() {
    var machine = connection(in: .idle)
    for second: Int64 in 101..<200 {
      machine.headCame(keepsAlive: true, framing: .none)
      #expect(machine.answerBegins(closes: false, second) == true)
      #expect(machine.answerEnded(second) == .nextRequest)
    }
  }

  // MARK: Ends

  @Test(arguments: Phase.allCases) func drainEndsOnlyWhoHasNothingInHand(phase: Phase) {
    for hasBacklog in [false, true] {
      var machine = connection(in: phase)
      #expect(machine.drain(hasBacklog: hasBacklog) == (phase == .idle && !hasBacklog))
      #expect(machine.isLast)
    }
  }

  @Test func anAnswerThatHadBegunBeforeTheDrainIsTheLast() {
    var sending = connection(in: .sending)
    _ = sending.drain(hasBacklog: false)
    #expect(sending.answerEnded(101) == .goodbye)
    var working = connection(in: .working)
    _ = working.drain(hasBacklog: false)
    #expect(working.answerBegins(closes: false, 101) == false)
  }

  @Test(arguments: Phase.allCases) func afterThePeersEndWhatItHasAskedIsStillAnswered(phase: Phase) {
    var machine = connection(in: phase)
    #expect(machine.whenInputIsUsedUp == .receive)
    machine.inputEnded()
    #expect(machine.whenInputIsUsedUp == (phase == .idle || phase == .head ? .goodbye : .close))
    let needs: [Phase: ConnectionStateMachine.Need] = [
      .sending: .turn, .working: .nothing, .awaitingDisk: .nothing, .awaitingWorker: .nothing, .closed: .nothing,
    ]
    #expect(machine.need == needs[phase] ?? .input)
  }

  @Test func theOutputEndsOnlyWhenTheSocketHasTakenAllOfIt() {
    for inputHasEnded in [false, true] {
      var machine = connection(in: .idle)
      if inputHasEnded { machine.inputEnded() }
      #expect(machine.goodbyeIsSaid(backlogIsEmpty: false, 101) == .wait)
      #expect(machine.socketTook(5, backlogIsEmpty: false, 102) == false)
      #expect(machine.socketTook(5, backlogIsEmpty: true, 103) == true)
      #expect(machine.phase == .lingering)
    }
    var ended = connection(in: .idle)
    ended.inputEnded()
    #expect(ended.goodbyeIsSaid(backlogIsEmpty: true, 101) == .close)
    var open = connection(in: .idle)
    #expect(open.goodbyeIsSaid(backlogIsEmpty: true, 101) == .endOutput)
  }

  @Test(arguments: Phase.allCases) func onlyAnUnfinishedHandshakeHasFailed(phase: Phase) {
    var machine = connection(in: phase)
    #expect(machine.close() == (phase == .proxyHeader || phase == .handshake))
  }
}
