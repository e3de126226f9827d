import AssetPacks

/// A change that is going on: who makes it, when, and the transaction that it stands in.
struct Change {
  let connection: CatalogConnection
  let actor: Actor
  /// Seconds since 1970.
  let now: Int64
}

extension PackStore {
  /// Runs `body` in one transaction that knows its actor and its time.
  func change<T: Sendable>(
    _ actor: Actor, _ body: (Change) throws(StoreFailure) -> T
  ) throws(StoreFailure) -> T {
    let now = now()
    let result = try catalog.write { (connection) throws(StoreFailure) in
      try actor.conditions?.begin()
      let result = try body(Change(connection: connection, actor: actor, now: now))
      try actor.conditions?.end(connection, subject: (result as? any Identified)?.id, now: now)
      return result
    }
    actor.conditions?.changed()
    let tell = afterChange.withLock { $0 }
    tell()
    return result
  }
}

extension Change {
  /// Takes a machine through `events`: all are legal, or `stateNotAllowed` is thrown.
  func walk<Machine: StateMachine>(
    _ machine: Machine, _ events: [Machine.Event], subject: String
  ) throws(StoreFailure) -> [Transition<Machine.State>] {
    var machine = machine
    do throws(IllegalMove) {
      return try machine.walk(events)
    } catch {
      throw .stateNotAllowed(
        subject: subject, state: error.from, move: error.event, legalMoves: error.legalMoves)
    }
  }
}

/// A record that has an id in the API.
package protocol Identified {
  var id: String { get }
}

extension AppRecord: Identified {}
extension PackRecord: Identified {}
extension VersionRecord: Identified {}
extension UploadRecord: Identified {}
extension APIKeyRecord: Identified {}
extension WebhookRecord: Identified {}
extension WebhookDeliveryRecord: Identified {}
