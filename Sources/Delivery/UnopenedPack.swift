import HTTPCore
import PackStore

/// A version whose file is not kept open, because a start opens live versions first or because there are more versions
/// than a process may open files. A request for it opens the file for that one answer.
final class UnopenedPack: Sendable {
  private let version: LiveState.Version
  private let app: String
  private let openBlobs: OpenBlobs
  private let labels: DeliveryLabels
  private let counts: BuildCounts

  init(
    _ version: LiveState.Version, app: String, openBlobs: OpenBlobs, labels: DeliveryLabels, counts: BuildCounts
  ) {
    self.version = version
    self.app = app
    self.openBlobs = openBlobs
    self.labels = labels
    self.counts = counts
  }

  /// Opens the file, which must have the length that the catalog says.
  func open() throws(StoreFailure) -> Representation {
    let blob = try openBlobs.open(sha256: version.sha256, size: version.size, counts: counts)
    counts.addPack()
    return Representation(
      body: .file(descriptor: blob.descriptor.raw, owner: blob), length: Int(version.size),
      contentType: "application/octet-stream", cacheControl: "public, max-age=31536000, immutable",
      entityTag: version.sha256, lastModified: version.created, acceptsRanges: true,
      label: labels.label(app: app, pack: version.assetPackIdentifier, version: version.number))
  }
}
