/// A move that the state does not allow.
package struct IllegalMove: Error, Equatable, Sendable {
  /// The kind of thing, "version" or "production release".
  package let subject: String
  /// The state's name on the wire.
  package let from: String
  package let event: String
  /// The moves that are legal from here; empty in a final state.
  package let legalMoves: [String]

  /// The whole reason in words, without a full stop.
  package var sentence: String {
    "a \(subject) in \(from) cannot \(event); "
      + (legalMoves.isEmpty ? "the state is final" : "legal from here: \(legalMoves.joined(separator: ", "))")
  }
}

/// A state machine as a value: events go in, the next state or a refusal comes out. Nothing else sets a state.
package protocol StateMachine: Sendable {
  associatedtype State: RawRepresentable<String> & CaseIterable & Equatable & Sendable
  associatedtype Event: RawRepresentable<String> & CaseIterable & Equatable & Sendable

  /// The kind of thing, in lower case.
  static var subject: String { get }
  /// The initial state.
  static var creation: State { get }
  /// The whole table; nil for a move that is not legal.
  static func transition(from state: State, on event: Event) -> State?
  /// How long the state may last; nil for states that may last: final and live ones.
  static func deadline(in state: State) -> Deadline?

  var state: State { get set }
  init(state: State)
}

extension StateMachine {
  /// The machine in its initial state.
  package init() { self.init(state: Self.creation) }

  /// The events that are legal from `state`, in the table's order.
  package static func legalMoves(from state: State) -> [Event] {
    Event.allCases.filter { transition(from: state, on: $0) != nil }
  }

  /// Where `event` leads from here. The machine itself stays as it is.
  package func next(_ event: Event) throws(IllegalMove) -> State {
    guard let next = Self.transition(from: state, on: event) else {
      throw IllegalMove(
        subject: Self.subject, from: state.rawValue, event: event.rawValue,
        legalMoves: Self.legalMoves(from: state).map(\.rawValue))
    }
    return next
  }

  /// Applies the events in order; all moves are legal, or none is made.
  package mutating func walk(_ events: [Event]) throws(IllegalMove) -> [State] {
    var machine = self
    var states: [State] = []
    for event in events {
      machine.state = try machine.next(event)
      states.append(machine.state)
    }
    self = machine
    return states
  }
}
