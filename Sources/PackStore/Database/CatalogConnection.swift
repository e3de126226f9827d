import CSQLite

/// One connection to the catalog, with the statements that it has prepared.
///
/// It is opened without SQLite's own mutex and used by one thread at a time: ``Catalog`` hands it out.
final class CatalogConnection {
  let path: String
  private let handle: OpaquePointer
  private var statements: [String: Statement] = [:]
  private static let keptStatements = 256

  init(path: String, flags: Int32, busyMilliseconds: Int32) throws(StoreFailure) {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard let opened else { throw .database(code: code, message: "out of memory", doing: "opening \(path)") }
    guard code == SQLITE_OK else {
      let failure = StoreFailure(sqlite: code, handle: opened, path: path, doing: "opening it")
      sqlite3_close_v2(opened)
      throw failure
    }
    self.path = path
    self.handle = opened
    sqlite3_busy_timeout(opened, busyMilliseconds)
  }

  deinit {
    statements.removeAll()
    sqlite3_close_v2(handle)
  }

  /// Runs statements that give no rows and take no values; for migrations and pragmas.
  func script(_ sql: String, doing: String) throws(StoreFailure) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    if code != SQLITE_OK { throw StoreFailure(sqlite: code, handle: handle, path: path, doing: doing) }
  }

  /// Runs one statement to its end. `values` are for its places 1, 2, 3 …
  func run(_ sql: String, _ values: any SQLBindable...) throws(StoreFailure) { try run(sql, values) }

  /// The same with values that stand in a list.
  func run(_ sql: String, _ values: [any SQLBindable]) throws(StoreFailure) {
    let statement = try prepared(sql)
    try statement.start(values)
    defer { statement.reset() }
    while try statement.step() {}
  }

  /// All rows of one statement.
  func rows<T>(
    _ sql: String, _ values: any SQLBindable..., make: (Row) throws(StoreFailure) -> T
  ) throws(StoreFailure) -> [T] {
    try rows(sql, values, make: make)
  }

  /// The same with values that stand in a list.
  func rows<T>(
    _ sql: String, _ values: [any SQLBindable], make: (Row) throws(StoreFailure) -> T
  ) throws(StoreFailure) -> [T] {
    let statement = try prepared(sql)
    try statement.start(values)
    defer { statement.reset() }
    var result: [T] = []
    while try statement.step() { result.append(try make(statement.row)) }
    return result
  }

  /// The first row of one statement.
  func first<T>(
    _ sql: String, _ values: any SQLBindable..., make: (Row) throws(StoreFailure) -> T
  ) throws(StoreFailure) -> T? {
    try first(sql, values, make: make)
  }

  /// The same with values that stand in a list.
  func first<T>(
    _ sql: String, _ values: [any SQLBindable], make: (Row) throws(StoreFailure) -> T
  ) throws(StoreFailure) -> T? {
    let statement = try prepared(sql)
    try statement.start(values)
    defer { statement.reset() }
    return try statement.step() ? try make(statement.row) : nil
  }

  private func prepared(_ sql: String) throws(StoreFailure) -> Statement {
    // One that is running already (a query inside a query's closure) must not be started twice.
    if let known = statements[sql], !known.isRunning { return known }
    let statement = try Statement(sql, connection: handle, path: path)
    // Lists put their statements together from what clients ask for: they must not accumulate.
    if statements.count >= Self.keptStatements { statements = statements.filter { $0.value.isRunning } }
    if statements[sql] == nil { statements[sql] = statement }
    return statement
  }
}

extension StoreFailure {
  /// Maps SQLite's result codes to failures that a person can act on.
  init(sqlite code: Int32, handle: OpaquePointer, path: String, doing: String) {
    let message = String(cString: sqlite3_errmsg(handle))
    switch code & 0xff {
    case SQLITE_CORRUPT: self = .catalogDamaged(path: path, detail: message)
    case SQLITE_NOTADB: self = .notACatalog(path: path)
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: self = .readOnly(path: path)
    case SQLITE_FULL: self = .diskFull(path: path)
    case SQLITE_BUSY, SQLITE_LOCKED: self = .catalogBusy(path: path)
    case SQLITE_CANTOPEN:
      self = .database(
        code: code, message: "\(path) cannot be opened; check that the folder is there and its owner", doing: doing)
    default: self = .database(code: code, message: message, doing: doing)
    }
  }
}
