import AssetPacks
import HTTPCore
import PackStore
import SystemIO

/// Makes snapshots from what the store says is published.
package struct SnapshotBuilder: Sendable {
  /// The app and track that `/manifest` answers with, for the development override of devices.
  package struct Development: Sendable {
    package let bundleID: String
    package let track: Track

    package init(bundleID: String, track: Track) {
      self.bundleID = bundleID
      self.track = track
    }
  }

  private let blobs: BlobStore
  private let development: Development?
  private let labels: DeliveryLabels

  /// `labels` are shared by all snapshots of a process.
  package init(blobs: BlobStore, development: Development?, labels: DeliveryLabels = DeliveryLabels()) {
    self.blobs = blobs
    self.labels = labels
    self.development = development
  }

  /// A snapshot of `state`. Files that `previous` has open are not opened again.
  package func build(_ state: LiveState, previous: Snapshot?) -> Snapshot {
    var assembly = Assembly(blobs: blobs, previous: previous)
    for (index, app) in state.apps.enumerated() {
      for track in Track.allCases {
        let label = DeliveryLabel(app: app.bundleID, track: track.rawValue)
        guard let set = ManifestSet(app.manifests.filter { $0.track == track }, label: label) else { continue }
        assembly.add("/apps/\(app.bundleID)/\(track.rawValue)/manifest.json", .manifest(set), app: index)
      }
      for version in app.versions {
        let path = "/apps/\(app.bundleID)/packs/\(version.number)/\(version.assetPackIdentifier)"
        let label = labels.label(app: app.bundleID, pack: version.assetPackIdentifier, version: version.number)
        let resource = assembly.pack(version, label: label)
        assembly.add(path, resource, app: index)
        // An id may itself end in .aar: then the exact path of that pack wins.
        assembly.addUnlessTaken("\(path).aar", resource, app: index)
      }
    }
    let seed = (try? secureRandomBytes(8))?.reduce(0) { $0 << 8 | UInt64($1) } ?? 0
    return Snapshot(
      paths: ByteKeyTable(assembly.paths, seed: seed), resources: assembly.resources,
      hosts: HostTable(state.apps.map(\.domainAllowList), seed: seed), development: developmentManifest(state),
      blobs: assembly.open, faults: assembly.faults)
  }

  private func developmentManifest(_ state: LiveState) -> DevelopmentManifest? {
    guard let development, let index = state.apps.firstIndex(where: { $0.bundleID == development.bundleID }) else {
      return nil
    }
    let app = state.apps[index]
    return DevelopmentManifest(
      app: index, bundleID: app.bundleID, records: app.manifests.filter { $0.track == development.track })
  }
}

/// The parts of a snapshot while it is made.
private struct Assembly {
  let blobs: BlobStore
  let previous: Snapshot?
  private var places: [String: Int32] = [:]
  private(set) var resources: [AppResource] = []
  private(set) var open: [String: OpenBlob] = [:]
  private(set) var faults: [String] = []

  init(blobs: BlobStore, previous: Snapshot?) {
    self.blobs = blobs
    self.previous = previous
  }

  var paths: [([UInt8], Int32)] { places.map { (Array($0.key.utf8), $0.value) } }

  mutating func add(_ path: String, _ resource: Resource, app: Int) {
    resources.append(AppResource(app: app, resource: resource))
    places[path] = Int32(truncatingIfNeeded: resources.count - 1)
  }

  mutating func addUnlessTaken(_ path: String, _ resource: Resource, app: Int) {
    if places[path] == nil { add(path, resource, app: app) }
  }

  mutating func pack(_ version: LiveState.Version, label: DeliveryLabel) -> Resource {
    do throws(StoreFailure) {
      let known = open[version.sha256] ?? previous?.blobs[version.sha256]
      let blob =
        if let known, known.size == version.size {
          known
        } else {
          try OpenBlob(sha256: version.sha256, size: version.size, in: blobs)
        }
      open[version.sha256] = blob
      return .pack(
        Representation(
          body: .file(descriptor: blob.descriptor.raw, owner: blob), length: Int(version.size),
          contentType: "application/octet-stream", cacheControl: "public, max-age=31536000, immutable",
          entityTag: version.sha256, lastModified: version.created, acceptsRanges: true, label: label))
    } catch {
      faults.append("\(version.assetPackIdentifier) version \(version.number) is not served: \(error.sentence)")
      return .damaged
    }
  }
}
