extension PackStore {
  /// The value stored under `key`.
  package func setting(_ key: String) throws(StoreFailure) -> [UInt8]? {
    try catalog.read { (connection) throws(StoreFailure) in try connection.setting(key) }
  }

  /// Stores `value` under `key`.
  package func setSetting(_ key: String, _ value: [UInt8]) throws(StoreFailure) {
    try catalog.write { (connection) throws(StoreFailure) in try connection.setSetting(key, value) }
  }

  /// The value under `key`; if there is none, the result of `make` is stored and returned. Two callers at once get
  /// the same.
  package func setting(
    _ key: String, orKeep make: () throws(StoreFailure) -> [UInt8]
  ) throws(StoreFailure) -> [UInt8] {
    if let value = try setting(key) { return value }
    let fresh = try make()
    return try catalog.write { (connection) throws(StoreFailure) in
      if let value = try connection.setting(key) { return value }
      try connection.setSetting(key, fresh)
      return fresh
    }
  }
}

extension CatalogConnection {
  func setting(_ key: String) throws(StoreFailure) -> [UInt8]? {
    try first("SELECT value FROM settings WHERE key = ?", key) { $0.bytes(0) }
  }

  func setSetting(_ key: String, _ value: [UInt8]) throws(StoreFailure) {
    try run("INSERT INTO settings VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", key, value)
  }
}
