import HTTPCore
import Testing

@testable import HTTPServer

@Suite struct ConnectionTimeTests {
  private static let limits = {
    var limits = ServerLimits()
    limits.headerTime = 10
    limits.idleTime = 20
    limits.uploadStall = 30
    limits.sendStall = 40
    limits.lingerTime = 5
    return limits
  }()

  struct Row: Sendable {
    let phase: Phase
    /// Seconds until it comes; nil for never.
    let time: Int64?
    let action: ConnectionStateMachine.TickAction
  }

  /// Every phase. `idle` is between the handshake and the first request here, which has the time of a head.
  static let deadlines = [
    Row(phase: .proxyHeader, time: 10, action: .close(.handshakeTimeouts)),
    Row(phase: .handshake, time: 10, action: .close(.handshakeTimeouts)),
    Row(phase: .idle, time: 10, action: .sayGoodbye(.idleTimeouts)),
    Row(phase: .head, time: 10, action: .refuse(.headTimeouts)),
    Row(phase: .body, time: 30, action: .refuse(.bodyTimeouts)),
    Row(phase: .working, time: nil, action: .nothing),
    Row(phase: .sending, time: 40, action: .close(.sendTimeouts)),
    Row(phase: .awaitingDisk, time: 40, action: .close(.sendTimeouts)),
    Row(phase: .awaitingWorker, time: 40, action: .close(.sendTimeouts)),
    Row(phase: .flushing, time: 40, action: .close(nil)),
    Row(phase: .lingering, time: 5, action: .close(nil)),
    Row(phase: .closed, time: nil, action: .nothing),
  ]

  @Test func everyPhaseHasARow() { #expect(Self.deadlines.map(\.phase) == Phase.allCases) }

  @Test(arguments: deadlines) func aConnectionWithoutProgressEndsAfterItsTimeAndNotBefore(row: Row) {
    var machine = connection(in: row.phase)
    guard let time = row.time else {
      #expect(machine.tick(1_000_000, Self.limits) == .nothing)
      return
    }
    #expect(machine.tick(100 + time, Self.limits) == (row.phase == .awaitingWorker ? .resume : .nothing))
    #expect(machine.tick(100 + time + 1, Self.limits) == row.action)
  }

  /// What gives a connection new time: the event, and in which phases.
  struct Progress: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let phases: [Phase]
    let event: @Sendable (inout ConnectionStateMachine) -> Void
  }

  static let progress = [
    Progress(testDescription: "bytes of the body", phases: [.body]) { $0.bodyCame(hasEnded: false, 104) },
    Progress(
      testDescription: "the socket takes a part",
      phases: [
        .idle, .sending, .awaitingDisk, .awaitingWorker, .flushing,
      ]
    ) { _ = $0.socketTook(1, backlogIsEmpty: false, 104) },
    Progress(
      testDescription: "the socket takes the rest",
      phases: [
        .sending, .awaitingDisk, .awaitingWorker, .flushing,
      ]
    ) { _ = $0.socketTook(1, backlogIsEmpty: true, 104) },
    // The first byte of a head begins its time; later ones do not prolong it.
    Progress(testDescription: "a part of a head", phases: [.idle]) { $0.headIsIncomplete(104) },
    Progress(testDescription: "the handshake ends", phases: [.handshake]) { $0.handshakeEnded(104) },
    Progress(testDescription: "a PROXY header", phases: []) { $0.proxyHeaderCame() },
    Progress(testDescription: "bytes of whatever kind come", phases: []) { $0.socketGave(1000) },
    Progress(testDescription: "the socket takes nothing", phases: []) {
      _ = $0.socketTook(0, backlogIsEmpty: false, 104)
    },
    Progress(testDescription: "the file is cold", phases: []) { $0.answerIsCold(workerReads: true) },
    Progress(testDescription: "the file is warm", phases: []) { _ = $0.answerIsWarm() },
    Progress(testDescription: "a tick", phases: []) { _ = $0.tick(104, ServerLimits()) },
    Progress(testDescription: "a drain", phases: []) { _ = $0.drain(hasBacklog: true) },
  ]

  @Test(arguments: progress) func onlyProgressGivesNewTime(progress: Progress) {
    for phase in Phase.allCases where phase != .closed {
      var machine = connection(in: phase)
      #expect(machine.since == 100)
      progress.event(&machine)
      #expect(machine.since == (progress.phases.contains(phase) ? 104 : 100), "\(phase)")
    }
  }

  @Test func aSlowReaderIsServedAsLongAsItReads() {
    var machine = connection(in: .sending)
    // Hours, with a byte just before each time is over.
    for second in stride(from: Int64(140), to: 20_000, by: 40) {
      #expect(machine.tick(second, Self.limits) == .nothing)
      #expect(machine.socketTook(1, backlogIsEmpty: false, second) == false)
    }
    #expect(machine.tick(20_020, Self.limits) == .nothing)
    #expect(machine.tick(20_021, Self.limits) == .close(.sendTimeouts))
  }

  @Test func anUploadIsReceivedAsLongAsItComesAndCutWhenItStalls() {
    var machine = connection(in: .body)
    for second in stride(from: Int64(130), to: 1000, by: 30) {
      #expect(machine.tick(second, Self.limits) == .nothing)
      machine.bodyCame(hasEnded: false, second)
    }
    #expect(machine.tick(1000, Self.limits) == .nothing)
    #expect(machine.tick(1001, Self.limits) == .refuse(.bodyTimeouts))
    machine.requestIsRefused()
    #expect(machine.answerBegins(closes: false, 1001) == false)
  }

  @Test func aColdFileThatFoundNoWorkerIsTriedAgainEachSecond() {
    var machine = connection(in: .sending)
    for second: Int64 in 101..<110 {
      machine.answerIsCold(workerReads: false)
      #expect(machine.answerIsWarm() == false)
      #expect(machine.need == .nothing)
      #expect(machine.tick(second, Self.limits) == .resume)
      #expect(machine.need == .turn)
    }
    machine.answerIsCold(workerReads: true)
    #expect(machine.tick(111, Self.limits) == .nothing)
    #expect(machine.answerIsWarm() == true)
  }

  @Test func theNextRequestHasItsOwnTime() {
    var machine = connection(in: .sending)
    #expect(machine.answerEnded(200) == .nextRequest)
    #expect(machine.tick(220, Self.limits) == .nothing)
    var silent = machine
    #expect(silent.tick(221, Self.limits) == .sayGoodbye(.idleTimeouts))
    machine.headIsIncomplete(220)
    // Single bytes do not prolong a head.
    machine.headIsIncomplete(225)
    #expect(machine.tick(230, Self.limits) == .nothing)
    #expect(machine.tick(231, Self.limits) == .refuse(.headTimeouts))
  }

  @Test func theTimeToTheNextRequestBeginsWhenTheLastAnswerIsOut() {
    var machine = connection(in: .sending)
    _ = machine.answerEnded(200)
    _ = machine.socketTook(5, backlogIsEmpty: false, 200)
    #expect(machine.tick(240, Self.limits) == .nothing)
    _ = machine.socketTook(5, backlogIsEmpty: true, 240)
    #expect(machine.tick(260, Self.limits) == .nothing)
    #expect(machine.tick(261, Self.limits) == .sayGoodbye(.idleTimeouts))
    // What leaves at once with the end of the answer changes nothing.
    var quick = connection(in: .sending)
    _ = quick.answerEnded(200)
    _ = quick.socketTook(5, backlogIsEmpty: true, 200)
    #expect(quick.timer == .nextRequest)
    // Nor do the tickets that follow a handshake.
    var fresh = connection(in: .idle)
    _ = fresh.socketTook(5, backlogIsEmpty: true, 105)
    #expect(fresh.timer == .head && fresh.since == 100)
  }

  @Test(arguments: Phase.allCases) func onlyATransferHasAMinimumRate(phase: Phase) {
    var limits = Self.limits
    (limits.minimumRate, limits.rateWindow) = (100, 5)
    let isTransfer: [Phase] = [.body, .sending, .awaitingDisk, .awaitingWorker]
    for (bytes, isEnough) in [(499, false), (500, true)] {
      var machine = connection(in: phase)
      machine.socketGave(bytes - 200)
      _ = machine.socketTook(200, backlogIsEmpty: false, 104)
      #expect(machine.tick(104, limits) == (phase == .awaitingWorker ? .resume : .nothing))
      let expected: ConnectionStateMachine.TickAction =
        isTransfer.contains(phase) && !isEnough ? .close(.rateTimeouts) : .nothing
      #expect(machine.tick(105, limits) == expected, "\(bytes)")
      if isTransfer.contains(phase) && isEnough {
        // A new window begins with nothing in it.
        #expect(machine.tick(110, limits) == .close(.rateTimeouts))
      }
      #expect(machine.window.start >= 105)
    }
    (limits.minimumRate, limits.rateWindow) = (0, 5)
    var unlimited = connection(in: .sending)
    #expect(unlimited.tick(140, limits) == .nothing)
  }

  @Test(arguments: Phase.allCases) func whoHasARequestInHandDoesNotGiveWay(phase: Phase) {
    let machine = connection(in: phase)
    let expected: [Phase: (Int64, ConnectionStateMachine.GivingWay)] = [
      .idle: (2, .idle), .head: (3, .slow), .handshake: (3, .slow), .proxyHeader: (3, .slow),
    ]
    guard let (grace, kind) = expected[phase] else {
      #expect(machine.givesWay(1_000_000) == nil)
      return
    }
    #expect(machine.givesWay(100 + grace - 1) == nil)
    #expect(machine.givesWay(100 + grace) == kind)
    #expect(ConnectionStateMachine.GivingWay.idle < .slow)
  }
}
