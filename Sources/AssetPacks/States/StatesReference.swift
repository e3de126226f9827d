/// Prints the tables of docs/states.md from the machines themselves.
package enum StatesReference {
  /// The whole document.
  package static func markdown() -> String {
    """
    # States

    The words are App Store Connect's. A move that is not in a table is refused with 409 and the legal moves. A state
    that lasts longer than its deadline raises a metric and a line of the audit log, `state.stuck`; `deadlines` in the
    configuration changes them under the names given here. This file is printed from the state machines.

    What goes with a move happens in the same transaction. A version that becomes `COMPLETE` gets a release on each
    track. A release that goes live supersedes the one before it, and the track's manifests are published. The releases
    of a submission's items are submitted, go live and are withdrawn with it.

    Under the review policy `none`, a submission takes the moves of its review by itself and goes live in the same
    transaction. `required` needs someone with the reviewer role, `fourEyes` someone other than the submitter.

    A submission is for one track, beta or production, and its items are versions. The release of each version on
    that track moves with it: into the review, out of it, and live together with all others. Between the verdicts an
    item that passed waits in `ACCEPTED`; its beta release, which has no such state, stays `IN_REVIEW`. A version that
    was rejected for the beta stays so, and the next version is submitted; one that was rejected for production may be
    resolved and submitted again.


    """
      + [
        table(VersionStateMachine.self), table(UploadFileStateMachine.self), table(InternalBetaStateMachine.self),
        table(ExternalBetaStateMachine.self), table(ProductionStateMachine.self),
        table(ReviewSubmissionStateMachine.self), table(ReviewItemStateMachine.self),
        table(RolloutStateMachine.self),
      ].joined(separator: "\n")
  }

  /// One machine: a line for each legal move, and one for each state without any.
  static func table<Machine: StateMachine>(_ machine: Machine.Type) -> String {
    var text = "## " + machine.subject.prefix(1).uppercased() + machine.subject.dropFirst() + "\n\n"
    text += "Begins in `\(machine.creation.rawValue)`.\n\n"
    text += "| state | deadline | move | next state |\n|---|---|---|---|\n"
    for state in Machine.State.allCases {
      let moves = machine.legalMoves(from: state)
      let start = "| `\(state.rawValue)` | \(machine.deadline(in: state).map(duration) ?? "–") | "
      if moves.isEmpty { text += start + "final | |\n" }
      for move in moves {
        guard let next = machine.transition(from: state, on: move) else { continue }
        text += start + "\(move.rawValue) | `\(next.rawValue)` |\n"
      }
    }
    return text
  }

  private static func duration(_ deadline: Deadline) -> String {
    let seconds = deadline.defaultSeconds
    return (seconds % 86400 == 0 ? "\(seconds / 86400) d" : "\(seconds / 3600) h") + ", `\(deadline.rawValue)`"
  }
}
