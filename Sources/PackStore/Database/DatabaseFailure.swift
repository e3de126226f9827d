import CSQLite

/// Sorts SQLite's result codes into the failures that a person can act on.
func failure(_ code: Int32, handle: OpaquePointer, path: String, doing: String) -> StoreFailure {
  let message = String(cString: sqlite3_errmsg(handle))
  switch code & 0xff {
  case SQLITE_CORRUPT: return .catalogDamaged(path: path, detail: message)
  case SQLITE_NOTADB: return .notACatalog(path: path)
  case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: return .readOnly(path: path)
  case SQLITE_FULL: return .diskFull(path: path)
  case SQLITE_BUSY, SQLITE_LOCKED: return .catalogBusy(path: path)
  case SQLITE_CANTOPEN:
    return .database(
      code: code, message: "\(path) cannot be opened; check that the folder is there and its owner", doing: doing)
  default: return .database(code: code, message: message, doing: doing)
  }
}
