import AssetPacks
import Foundation
import Testing

struct StateMachineTests {
  /// Every (state, event) pair of a machine: the pairs in `table` move, all others are refused with the legal moves.
  private func check<Machine: StateMachine>(_ machine: Machine.Type, _ table: [String: String]) throws {
    var used = 0
    for state in Machine.State.allCases {
      let legal = Machine.Event.allCases.filter { table["\(state.rawValue) \($0.rawValue)"] != nil }
      #expect(machine.legalMoves(from: state) == legal)
      for event in Machine.Event.allCases {
        let expected = table["\(state.rawValue) \(event.rawValue)"]
        do {
          let next = try Machine(state: state).next(event)
          #expect(next.rawValue == expected, "\(state.rawValue) \(event.rawValue)")
          used += 1
        } catch {
          #expect(expected == nil, "\(state.rawValue) \(event.rawValue) was refused")
          #expect(error.legalMoves == legal.map(\.rawValue))
        }
      }
      if legal.isEmpty { #expect(machine.deadline(in: state) == nil) }
    }
    #expect(used == table.count)
  }

  @Test func version() throws {
    try check(
      VersionStateMachine.self,
      [
        "AWAITING_UPLOAD commit": "PROCESSING", "PROCESSING fail": "FAILED", "PROCESSING complete": "COMPLETE",
      ])
  }

  @Test func uploadFile() throws {
    try check(
      UploadFileStateMachine.self,
      [
        "AWAITING_UPLOAD commit": "UPLOAD_COMPLETE", "UPLOAD_COMPLETE fail": "FAILED",
        "UPLOAD_COMPLETE complete": "COMPLETE",
      ])
  }

  @Test func internalBeta() throws {
    try check(InternalBetaStateMachine.self, ["READY_FOR_TESTING supersede": "SUPERSEDED"])
  }

  @Test func externalBeta() throws {
    try check(
      ExternalBetaStateMachine.self,
      [
        "READY_FOR_BETA_SUBMISSION submit": "WAITING_FOR_REVIEW",
        "WAITING_FOR_REVIEW withdraw": "READY_FOR_BETA_SUBMISSION", "IN_REVIEW withdraw": "READY_FOR_BETA_SUBMISSION",
        "WAITING_FOR_REVIEW begin-review": "IN_REVIEW", "IN_REVIEW reject": "REJECTED",
        "IN_REVIEW approve": "PROCESSING_FOR_TESTING", "PROCESSING_FOR_TESTING finish-processing": "READY_FOR_TESTING",
        "PROCESSING_FOR_TESTING supersede": "SUPERSEDED", "READY_FOR_TESTING supersede": "SUPERSEDED",
      ])
  }

  @Test func production() throws {
    try check(
      ProductionStateMachine.self,
      [
        "PREPARE_FOR_SUBMISSION add": "READY_FOR_REVIEW", "READY_FOR_REVIEW remove": "PREPARE_FOR_SUBMISSION",
        "READY_FOR_REVIEW submit": "WAITING_FOR_REVIEW", "WAITING_FOR_REVIEW remove": "PREPARE_FOR_SUBMISSION",
        "WAITING_FOR_REVIEW begin-review": "IN_REVIEW", "IN_REVIEW remove": "PREPARE_FOR_SUBMISSION",
        "IN_REVIEW reject": "REJECTED", "IN_REVIEW accept": "ACCEPTED",
        "IN_REVIEW approve": "PROCESSING_FOR_DISTRIBUTION",
        "ACCEPTED approve": "PROCESSING_FOR_DISTRIBUTION", "ACCEPTED remove": "PREPARE_FOR_SUBMISSION",
        "REJECTED resolve": "READY_FOR_REVIEW", "REJECTED remove": "PREPARE_FOR_SUBMISSION",
        "PROCESSING_FOR_DISTRIBUTION finish-processing": "READY_FOR_DISTRIBUTION",
        "PROCESSING_FOR_DISTRIBUTION supersede": "SUPERSEDED",
        "READY_FOR_DISTRIBUTION supersede": "SUPERSEDED",
      ])
  }

  @Test func reviewSubmission() throws {
    try check(
      ReviewSubmissionStateMachine.self,
      [
        "READY_FOR_REVIEW submit": "WAITING_FOR_REVIEW", "READY_FOR_REVIEW cancel": "CANCELING",
        "WAITING_FOR_REVIEW begin-review": "IN_REVIEW", "WAITING_FOR_REVIEW cancel": "CANCELING",
        "IN_REVIEW find-issues": "UNRESOLVED_ISSUES", "IN_REVIEW approve": "COMPLETING",
        "IN_REVIEW cancel": "CANCELING",
        "UNRESOLVED_ISSUES submit": "WAITING_FOR_REVIEW", "UNRESOLVED_ISSUES cancel": "CANCELING",
        "CANCELING finish": "COMPLETE", "COMPLETING finish": "COMPLETE",
      ])
  }

  @Test func reviewItem() throws {
    try check(
      ReviewItemStateMachine.self,
      [
        "READY_FOR_REVIEW accept": "ACCEPTED", "READY_FOR_REVIEW approve": "APPROVED",
        "READY_FOR_REVIEW reject": "REJECTED", "READY_FOR_REVIEW remove": "REMOVED", "ACCEPTED approve": "APPROVED",
        "ACCEPTED remove": "REMOVED", "REJECTED resolve": "READY_FOR_REVIEW", "REJECTED remove": "REMOVED",
      ])
  }

  @Test func refusalsNameTheLegalMoves() {
    let early = #expect(throws: IllegalMove.self) { try ProductionStateMachine().next(.approve) }
    #expect(
      early?.sentence == "a production release in PREPARE_FOR_SUBMISSION cannot approve; legal from here: add")
    let late = #expect(throws: IllegalMove.self) { try VersionStateMachine(state: .failed).next(.commit) }
    #expect(late?.sentence == "a version in FAILED cannot commit; the state is final")
  }

  @Test func withoutReviewASubmissionWalksThrough() throws {
    var release = ProductionStateMachine()
    let states = try release.walk([.add, .submit] + ProductionStateMachine.unreviewedMoves)
    #expect(release.state == .readyForDistribution)
    #expect(states.last == .readyForDistribution && states.count == 5)
    var beta = ExternalBetaStateMachine()
    _ = try beta.walk([.submit] + ExternalBetaStateMachine.unreviewedMoves)
    #expect(beta.state == .readyForTesting)
    var submission = ReviewSubmissionStateMachine()
    _ = try submission.walk([.submit] + ReviewSubmissionStateMachine.unreviewedMoves)
    #expect(submission.state == .complete)
    // A walk that fails on the way changes nothing.
    #expect(throws: IllegalMove.self) { try release.walk([.supersede, .supersede]) }
    #expect(release.state == .readyForDistribution)
  }

  @Test func rollout() throws {
    try check(
      RolloutStateMachine.self,
      [
        "RUNNING pause": "PAUSED", "PAUSED resume": "RUNNING", "RUNNING finish": "FINISHED",
        "PAUSED finish": "FINISHED", "RUNNING stop": "STOPPED", "PAUSED stop": "STOPPED",
      ])
  }

  @Test func policiesSayWhoDecides() {
    let table: [(ReviewPolicy, Role, Bool, Bool)] = [
      (.none, .publisher, true, true), (.none, .viewer, true, false), (.required, .publisher, false, false),
      (.required, .reviewer, true, true), (.required, .admin, true, true), (.fourEyes, .reviewer, true, false),
      (.fourEyes, .admin, true, false), (.fourEyes, .reviewer, false, true), (.fourEyes, .publisher, false, false),
    ]
    for (policy, role, isSubmitter, isAllowed) in table {
      #expect(
        policy.allowsDecision(by: role, isSubmitter: isSubmitter) == isAllowed, "\(policy) \(role) \(isSubmitter)")
    }
  }

  /// With PACKHOUSE_WRITE_DOCS set, the file is written instead of compared.
  @Test func documentEqualsTheMachines() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/states.md").standardized
    let printed = StatesReference.markdown()
    if ProcessInfo.processInfo.environment["PACKHOUSE_WRITE_DOCS"] != nil {
      try printed.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == printed)
  }
}
