import AssetPacks

// How often the processing of a version has begun, kept so that it survives the end of the process.
extension PackStore {
  /// Counts one more beginning and tells the count, from 1.
  package func beginProcessingAttempt(version id: String) throws(StoreFailure) -> Int {
    let key = attemptsKey(id)
    return try catalog.write { (connection) throws(StoreFailure) in
      let before = try connection.setting(key).flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
      try connection.setSetting(key, Array(String(before + 1).utf8))
      return before + 1
    }
  }

  /// Forgets the count, because processing has ended in order.
  package func forgetProcessingAttempts(version id: String) throws(StoreFailure) {
    try catalog.write { (connection) throws(StoreFailure) in
      try connection.run("DELETE FROM settings WHERE key = ?", attemptsKey(id))
    }
  }

  private func attemptsKey(_ id: String) -> String { "processing-attempts/\(id)" }
}
