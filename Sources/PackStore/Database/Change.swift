import AssetPacks

/// A change in progress: who makes it, when, and its transaction.
struct Change {
  let connection: CatalogConnection
  let actor: Actor
  /// Seconds since 1970.
  let now: Int64
}

extension PackStore {
  /// Runs `body` in one transaction that knows its actor and its time. All consequences of a change are handled here,
  /// so that no operation can forget them: once the transaction is committed, the copies below `published/` are
  /// written, the new state is served to devices, and observers are notified.
  func change<T: Sendable>(
    _ actor: Actor, _ body: (Change) throws(StoreFailure) -> T
  ) throws(StoreFailure) -> T {
    let now = now()
    let (result, apps) = try catalog.write { (connection) throws(StoreFailure) in
      try actor.conditions?.begin()
      let result = try body(Change(connection: connection, actor: actor, now: now))
      try actor.conditions?.end(connection, subject: (result as? any Identified)?.id, now: now)
      return (result, try connection.takeChangedApps())
    }
    actor.conditions?.changed()
    follow(changeOf: apps)
    return result
  }

  /// Runs `body` as a change that is rolled back and that no observer hears of. It may do whatever a change may.
  func rehearse<T: Sendable>(_ body: (Change) throws(StoreFailure) -> T) throws(StoreFailure) -> T {
    let now = now()
    return try catalog.rehearse { (connection) throws(StoreFailure) in
      try body(Change(connection: connection, actor: .daemon, now: now))
    }
  }

  /// - Parameter apps: the ids of those for which devices get something else now.
  private func follow(changeOf apps: [String]) {
    let observers = observers.withLock { $0.compactMap(\.observer) }
    if !apps.isEmpty {
      unwritten.withLock { $0.formUnion(apps) }
      writeMissingPublications()
      for observer in observers { observer.servedStateChanged() }
    }
    for observer in observers { observer.changeWasKept() }
  }
}

extension Change {
  /// Applies `events` to a state machine: all are legal, or `stateNotAllowed` is thrown.
  func walk<Machine: StateMachine>(
    _ machine: Machine, _ events: [Machine.Event], subject: String
  ) throws(StoreFailure) -> [Machine.State] {
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
