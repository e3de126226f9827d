import HTTPClient

extension AssetPackManager {
  /// The `file` URL of a file of any pack that is here. All packs share one tree of paths; when several have the path,
  /// the pack whose id comes first wins. Throws `.fileNotFound`.
  ///
  /// The file stays while its pack is neither updated nor removed; a `ResourceRequest` that accesses it keeps it.
  public nonisolated func url(for path: String) throws(ManagedBackgroundAssetsError) -> String {
    let file = try self.path(for: path)
    return "file://"
      + file.split(separator: "/", omittingEmptySubsequences: false).map { HTTPSURL.encode(String($0)) }
      .joined(separator: "/")
  }

  /// The same as a path of the file system, absolute when the cache folder's is.
  public nonisolated func path(for path: String) throws(ManagedBackgroundAssetsError) -> String {
    let (file, pack) = try cache.place(of: path)
    cache.touch(pack)
    return file
  }

  /// The bytes of a file, mapped into memory: they stay as they are for as long as the value lives, even if something
  /// happens to the pack.
  /// - Parameter id: the only pack to look into; all without.
  public nonisolated func contents(
    at path: String, searchingInAssetPackWithID id: String? = nil
  ) throws(ManagedBackgroundAssetsError) -> MappedFile {
    // Between the look and the opening an update may put another folder there.
    var attempt = 0
    while true {
      let (file, pack) = try cache.place(of: path, in: id)
      attempt += 1
      do throws(ManagedBackgroundAssetsError) {
        let mapped = try MappedFile(file, path: path)
        cache.touch(pack)
        return mapped
      } catch { if attempt == 3 { throw error } }
    }
  }
}
