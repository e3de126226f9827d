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
      throw StoreFailure(sqlite: code, handle: connection, path: path, doing: "preparing \(sql)")
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
        let failure = StoreFailure(sqlite: code, handle: connection, path: path, doing: "running \(sql)")
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
    case let code: throw StoreFailure(sqlite: code, handle: connection, path: path, doing: "running \(sql)")
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

/// The current row of a running statement; valid inside the closure that gets it.
struct Row {
  let handle: OpaquePointer

  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  func number(_ column: Int32) -> Int { Int(truncatingIfNeeded: integer(column)) }

  func flag(_ column: Int32) -> Bool { integer(column) != 0 }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

  /// Empty for NULL; STRICT tables keep other kinds out.
  func text(_ column: Int32) -> String { optionalText(column) ?? "" }

  func optionalText(_ column: Int32) -> String? {
    guard let start = sqlite3_column_text(handle, column) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  func bytes(_ column: Int32) -> [UInt8] {
    guard let start = sqlite3_column_blob(handle, column) else { return [] }
    return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
  }

  /// An integer or a text as it is; every other kind as NULL.
  func sqlValue(_ column: Int32) -> SQLValue {
    switch sqlite3_column_type(handle, column) {
    case SQLITE_INTEGER: .integer(integer(column))
    case SQLITE_TEXT: .text(text(column))
    default: .null
    }
  }

  /// The case that the column names.
  func value<T: RawRepresentable>(_ column: Int32, _ type: T.Type = T.self) throws(StoreFailure) -> T
  where T.RawValue == String {
    let text = text(column)
    guard let value = T(rawValue: text) else {
      let name = sqlite3_column_name(handle, column).map { String(cString: $0) } ?? "column \(column)"
      throw .valueUnknown(column: name, value: text)
    }
    return value
  }

  func optionalValue<T: RawRepresentable>(_ column: Int32, _ type: T.Type = T.self) throws(StoreFailure) -> T?
  where T.RawValue == String {
    isNull(column) ? nil : try value(column, type)
  }
}
