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
        try onDisk(folder, try PublishedFallback.write(app, to: folder))
        return nil
      } catch { return error }
    }
  }
}
