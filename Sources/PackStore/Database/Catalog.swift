import CSQLite
import Synchronization

/// The SQLite database of a state folder: one writer behind a lock, and readers that never wait for it.
///
/// WAL with `synchronous=FULL`: a committed transaction survives a loss of power. No file is
/// touched inside a transaction, so that the writer waits for no disk access but its own.
final class Catalog: Sendable {
  let path: String
  private let writer: Mutex<Box>
  private let idleReaders = Mutex<[Box]>([])

  /// How many readers are kept open between queries; more are opened when more are needed at once.
  private static let keptReaders = 4
  private static let busyMilliseconds: Int32 = 5000

  /// `@unchecked`: a connection is reached only through the writer's lock, or by the one thread that took it
  /// out of the list of idle readers.
  private struct Box: @unchecked Sendable {
    let connection: CatalogConnection
  }

  /// Opens or creates the catalog at `path` and migrates it to the newest format.
  ///
  /// - Parameter mayChange: false for a second process beside the daemon: nothing is created or upgraded.
  init(
    path: String, migrations: [Migration] = Migration.all, mayChange: Bool = true, now: Int64
  ) throws(StoreFailure) {
    self.path = path
    let connection = try CatalogConnection(
      path: path, flags: SQLITE_OPEN_READWRITE | (mayChange ? SQLITE_OPEN_CREATE : 0),
      busyMilliseconds: Self.busyMilliseconds)
    try connection.script(
      "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF; "
        + "PRAGMA temp_store=MEMORY",
      doing: "setting it up")
    try Migration.run(migrations, on: connection, mayChange: mayChange, now: now)
    writer = Mutex(Box(connection: connection))
  }

  /// Runs `body` in one transaction: all of it is kept when it returns, nothing of it when it throws.
  func write<T: Sendable>(_ body: (CatalogConnection) throws(StoreFailure) -> T) throws(StoreFailure) -> T {
    try writer.withLock { (box: inout sending Box) throws(StoreFailure) -> T in
      let connection = box.connection
      try connection.script("BEGIN IMMEDIATE", doing: "starting a change")
      do throws(StoreFailure) {
        let result = try body(connection)
        try connection.script("COMMIT", doing: "keeping a change")
        return result
      } catch {
        // After a full disk SQLite has rolled back by itself, and this fails; the first failure says more.
        try? connection.script("ROLLBACK", doing: "dropping a change")
        throw error
      }
    }
  }

  /// Runs `body` in one transaction of which nothing is kept.
  func rehearse<T: Sendable>(_ body: (CatalogConnection) throws(StoreFailure) -> T) throws(StoreFailure) -> T {
    try writer.withLock { (box: inout sending Box) throws(StoreFailure) -> T in
      let connection = box.connection
      try connection.script("BEGIN IMMEDIATE", doing: "starting a rehearsal")
      defer { try? connection.script("ROLLBACK", doing: "dropping a rehearsal") }
      return try body(connection)
    }
  }

  /// Runs `body` on one state of the catalog that no writer changes meanwhile.
  func read<T: Sendable>(_ body: (CatalogConnection) throws(StoreFailure) -> T) throws(StoreFailure) -> T {
    let idle = idleReaders.withLock { $0.popLast() }
    let box = if let idle { idle } else { try openReader() }
    defer {
      idleReaders.withLock { if $0.count < Self.keptReaders { $0.append(box) } }
    }
    let connection = box.connection
    try connection.script("BEGIN", doing: "starting to read")
    defer { try? connection.script("COMMIT", doing: "ending to read") }
    return try body(connection)
  }

  private func openReader() throws(StoreFailure) -> Box {
    let connection = try CatalogConnection(
      path: path, flags: SQLITE_OPEN_READWRITE, busyMilliseconds: Self.busyMilliseconds)
    try connection.script("PRAGMA query_only=ON; PRAGMA trusted_schema=OFF", doing: "opening a reader")
    return Box(connection: connection)
  }
}
