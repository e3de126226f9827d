import CSQLite

/// A prepared statement: bind and run, as often as wanted.
final class Statement {
  private let handle: OpaquePointer
  private let connection: OpaquePointer
  private let sql: String
  private let path: String
  private(set) var isRunning = false

  init(_ sql: String, connection: OpaquePointer, path: String) throws(StoreFailure) {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else {
      throw failure(code, handle: connection, path: path, doing: "preparing \(sql)")
    }
    self.handle = prepared
    self.connection = connection
    self.sql = sql
    self.path = path
  }

  deinit { sqlite3_finalize(handle) }

  /// Binds `values` to the places 1, 2, 3 …
  func start(_ values: [any SQLBindable]) throws(StoreFailure) {
    isRunning = true
    var place: Int32 = 0
    for value in values {
      place += 1
      let code =
        switch value.sqlValue {
        case .null: sqlite3_bind_null(handle, place)
        case .integer(let number): sqlite3_bind_int64(handle, place, number)
        case .text(let text): bind(text, at: place)
        case .bytes(let bytes): bind(bytes, at: place)
        }
      if code != SQLITE_OK {
        let failure = failure(code, handle: connection, path: path, doing: "running \(sql)")
        reset()
        throw failure
      }
    }
  }

  /// Goes to the next row; false at the end.
  func step() throws(StoreFailure) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw failure(code, handle: connection, path: path, doing: "running \(sql)")
    }
  }

  var row: Row { Row(handle: handle) }

  /// Ends a run, so that the statement holds no lock and no copies of values.
  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
    isRunning = false
  }

  private func bind(_ text: String, at place: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { bytes in
      guard let count = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
      return bytes.withMemoryRebound(to: CChar.self) {
        // An empty string has no address, and no address would mean NULL.
        $0.baseAddress.map { packhouse_sqlite3_bind_text(handle, place, $0, count) }
          ?? packhouse_sqlite3_bind_text(handle, place, "", 0)
      }
    }
  }

  private func bind(_ bytes: [UInt8], at place: Int32) -> Int32 {
    bytes.withUnsafeBytes { buffer in
      guard let count = Int32(exactly: buffer.count) else { return SQLITE_TOOBIG }
      return count == 0
        ? sqlite3_bind_zeroblob(handle, place, 0)
        : packhouse_sqlite3_bind_blob(handle, place, buffer.baseAddress, count)
    }
  }
}
