import AssetPacks

/// Renders the manifests of one app in one transaction; what several of them list is taken from the catalog once.
struct ManifestRenderer {
  let app: String
  let baseURL: PublicBaseURL
  let count: RenderCount
  private var known: [String: DownloadManifest.Entry] = [:]

  init(app: String, baseURL: PublicBaseURL, count: RenderCount) {
    self.app = app
    self.baseURL = baseURL
    self.count = count
  }

  /// The manifest in the domain's types.
  mutating func manifest(_ entries: [ManifestEntry]) throws(StoreFailure) -> DownloadManifest {
    var packs: [DownloadManifest.Entry] = []
    packs.reserveCapacity(entries.count)
    for entry in entries {
      if let found = known[entry.versionID] {
        packs.append(found)
      } else {
        let made = try entry.domainEntry()
        known[entry.versionID] = made
        packs.append(made)
      }
    }
    let name = app
    return try checked("manifest of \(name)", try DownloadManifest(app: BundleID(name), entries: packs))
  }

  mutating func render(_ entries: [ManifestEntry]) throws(StoreFailure) -> [UInt8] {
    render(try manifest(entries))
  }

  func render(_ manifest: DownloadManifest) -> [UInt8] {
    count.add()
    return manifest.render(baseURL: baseURL)
  }
}
