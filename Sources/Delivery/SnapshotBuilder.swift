import AssetPacks
import HTTPCore
import PackStore
import Synchronization
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
  private let counts: BuildCounts
  private let openFiles: Int

  /// `labels` are shared by all snapshots of a process; `counts` tells how much was not taken over; `openFiles` is how
  /// many files of versions may stay open.
  package init(
    blobs: BlobStore, development: Development?, labels: DeliveryLabels = DeliveryLabels(),
    counts: BuildCounts = BuildCounts(), openFiles: Int = .max
  ) {
    self.openFiles = openFiles
    self.blobs = blobs
    self.labels = labels
    self.development = development
    self.counts = counts
  }

  /// A snapshot of `state`. From `previous` it reuses every unchanged app, and of the others every unchanged manifest
  /// and version.
  ///
  /// - Parameter opensAll: false leaves the files of versions that are no longer live anywhere to the next snapshot.
  package func build(_ state: LiveState, previous: Snapshot?, opensAll: Bool = true) -> Snapshot {
    let seed = (try? secureRandomBytes(8))?.reduce(0) { $0 << 8 | UInt64($1) } ?? 0
    let openBlobs = previous?.openBlobs ?? OpenBlobs(blobs: blobs, most: openFiles)
    var known: [String: ServedApp] = [:]
    if let previous {
      for (app, served) in zip(previous.state.apps, previous.servedApps) { known[app.id] = served }
    }
    let servedApps = state.apps.map { app -> ServedApp in
      let served = known[app.id]
      // What could not be opened is tried again.
      if let served, app.revision > 0, served.revision == app.revision, served.isComplete { return served }
      var builder = ServedAppBuilder(
        app, previous: served, openBlobs: openBlobs, labels: labels, counts: counts, seed: seed, opensAll: opensAll)
      return builder.build()
    }
    return Snapshot(
      state: state, servedApps: servedApps, hosts: HostTable(state.apps.map(\.domainAllowList), seed: seed),
      development: developmentManifest(state, previous: previous), openBlobs: openBlobs, seed: seed)
  }

  private func developmentManifest(_ state: LiveState, previous: Snapshot?) -> DevelopmentManifest? {
    guard let development, let index = state.apps.firstIndex(where: { $0.bundleID == development.bundleID }) else {
      return nil
    }
    let app = state.apps[index]
    let records = app.manifests.filter { $0.track == development.track && $0.variant == .base }
    if let known = previous?.development, known.isMade(from: records, app: app.bundleID) {
      return known.moved(to: index)
    }
    return DevelopmentManifest(app: index, bundleID: app.bundleID, records: records)
  }
}

/// How much was made for snapshots rather than reused from the one before.
package final class BuildCounts: Sendable {
  private let manifestCount = Atomic<Int>(0)
  private let packCount = Atomic<Int>(0)
  private let fileCount = Atomic<Int>(0)

  package init() {}

  /// Manifests that were compressed and got their heads.
  package var manifests: Int { manifestCount.load(ordering: .relaxed) }
  /// Versions that got their heads.
  package var packs: Int { packCount.load(ordering: .relaxed) }
  /// Files that were opened.
  package var files: Int { fileCount.load(ordering: .relaxed) }

  func addManifest() { manifestCount.wrappingAdd(1, ordering: .relaxed) }
  func addPack() { packCount.wrappingAdd(1, ordering: .relaxed) }
  func addFile() { fileCount.wrappingAdd(1, ordering: .relaxed) }
}
