import AssetPacks

extension PackStore {
  /// How many versions are in each state; states that no version has are missing.
  package func versionCounts() throws(StoreFailure) -> [VersionState: Int] {
    try catalog.read { (connection) throws(StoreFailure) in
      let rows = try connection.rows("SELECT state, count(*) FROM versions GROUP BY state") {
        (row) throws(StoreFailure) in (try row.value(0, VersionState.self), row.number(1))
      }
      return Dictionary(rows, uniquingKeysWith: +)
    }
  }
}
