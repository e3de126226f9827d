import CSQLite

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
