/// The state of a staged rollout.
package enum RolloutState: String, CaseIterable, Sendable {
  case running = "RUNNING"
  case paused = "PAUSED"
  case finished = "FINISHED"
  case stopped = "STOPPED"
}

/// The life of a staged rollout.
package struct RolloutStateMachine: StateMachine {
  package enum Event: String, CaseIterable, Sendable {
    /// The percentage stays the same until it is resumed.
    case pause
    case resume
    /// Everybody gets the new versions.
    case finish
    /// Everybody gets the old bytes again, under new numbers.
    case stop
  }

  package static let subject = "rollout"
  package static let creation = RolloutState.running

  package var state: RolloutState
  package init(state: RolloutState) { self.state = state }

  package static func transition(from state: RolloutState, on event: Event) -> RolloutState? {
    switch (state, event) {
    case (.running, .pause): .paused
    case (.paused, .resume): .running
    case (.running, .finish), (.paused, .finish): .finished
    case (.running, .stop), (.paused, .stop): .stopped
    default: nil
    }
  }

  package static func deadline(in state: RolloutState) -> Deadline? {
    switch state {
    case .running: .rollout
    case .paused: .pausedRollout
    case .finished, .stopped: nil
    }
  }
}
