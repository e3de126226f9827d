/// The state of a version on the internal track. Raw values are App Store Connect's names.
package enum InternalBetaState: String, CaseIterable, Sendable {
  case readyForTesting = "READY_FOR_TESTING"
  case superseded = "SUPERSEDED"
}

/// The life of an internal release: live from the moment its version is complete.
package struct InternalBetaStateMachine: StateMachine {
  package enum Event: String, CaseIterable, Sendable {
    case supersede
  }

  package static let subject = "internal release"
  package static let creation = InternalBetaState.readyForTesting

  package var state: InternalBetaState
  package init(state: InternalBetaState) { self.state = state }

  package static func transition(from state: InternalBetaState, on event: Event) -> InternalBetaState? {
    switch (state, event) {
    case (.readyForTesting, .supersede): .superseded
    case (.superseded, .supersede): nil
    }
  }

  package static func deadline(in state: InternalBetaState) -> Deadline? { nil }
}
