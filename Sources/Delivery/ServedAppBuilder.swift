import AssetPacks
import HTTPCore
import PackStore

/// Builds what is served of one app, and reuses everything that has not changed since the last snapshot.
struct ServedAppBuilder {
  let app: LiveState.App
  let previous: ServedApp?
  let openBlobs: OpenBlobs
  let labels: DeliveryLabels
  let counts: BuildCounts
  let seed: UInt64
  /// Whether files of versions that are no longer live anywhere are opened.
  let opensAll: Bool

  private var closedCount = 0
  private var keys: [([UInt8], Int32)] = []
  private var resources: [ServedResource] = []
  private var packs: [ServedApp.PackKey: ServedResource] = [:]
  private var documents: [Track: [ManifestDocuments.Key: ManifestDocument]] = [:]
  private var faults: [String] = []

  init(
    _ app: LiveState.App, previous: ServedApp?, openBlobs: OpenBlobs, labels: DeliveryLabels, counts: BuildCounts,
    seed: UInt64, opensAll: Bool
  ) {
    self.app = app
    self.previous = previous
    self.openBlobs = openBlobs
    self.labels = labels
    self.counts = counts
    self.seed = seed
    self.opensAll = opensAll
  }

  mutating func build() -> ServedApp {
    keys.reserveCapacity(app.versions.count + 8)
    resources.reserveCapacity(app.versions.count + 8)
    for track in Track.allCases { add(track) }
    packs.reserveCapacity(app.versions.count)
    for version in app.versions {
      add("packs/\(version.number)/\(version.assetPackIdentifier)", resource(version))
    }
    return ServedApp(
      revision: app.revision, paths: ByteKeyTable(keys, seed: seed), resources: resources, packs: packs,
      documents: documents, faults: faults, closedCount: closedCount)
  }

  private mutating func add(_ path: String, _ resource: ServedResource) {
    keys.append((Array(path.utf8), Int32(truncatingIfNeeded: resources.count)))
    resources.append(resource)
  }

  private mutating func add(_ track: Track) {
    let records = app.manifests.filter { $0.track == track }
    if records.isEmpty { return }
    var made = ManifestDocuments(
      label: DeliveryLabel(app: app.bundleID, track: track.rawValue), previous: previous?.documents[track] ?? [:],
      counts: counts)
    let rollout = app.rollouts.first { $0.track == track }
    let names = Set(records.compactMap(\.variant.lane)).sorted()
    let lanes = names.compactMap { name -> (name: String, set: ManifestSet)? in
      ManifestSet(records, lane: name, rollout: rollout, documents: &made).map { (name, $0) }
    }
    for lane in lanes { add("\(track.rawValue)/lanes/\(lane.name)/manifest.json", .lane(lane.set)) }
    if let base = ManifestSet(records, lane: nil, rollout: rollout, documents: &made) {
      add("\(track.rawValue)/manifest.json", .track(TrackManifests(base: base, lanes: lanes, seed: seed)))
    }
    documents[track] = made.known
  }

  private mutating func resource(_ version: LiveState.Version) -> ServedResource {
    if version.isDamaged {
      // A handle to the damaged file must not be mistaken for the file that replaces it.
      openBlobs.forget(version.sha256)
      faults.append("\(version.assetPackIdentifier) version \(version.number) is not served: its bytes are damaged.")
      return .damaged
    }
    let key = ServedApp.PackKey(version)
    if let known = previous?.packs[key] {
      packs[key] = known
      return known
    }
    let closed = UnopenedPack(version, app: app.bundleID, openBlobs: openBlobs, labels: labels, counts: counts)
    guard version.isLive || opensAll else {
      closedCount += 1
      return .unopened(closed)
    }
    // The process cannot have a file open for every version of a very large catalog.
    guard openBlobs.hasRoom else { return .unopened(closed) }
    do throws(StoreFailure) {
      let resource = ServedResource.pack(try closed.open())
      packs[key] = resource
      return resource
    } catch {
      // Not reused by the next snapshot, so that a restored file is found.
      faults.append("\(version.assetPackIdentifier) version \(version.number) is not served: \(error.sentence)")
      return .damaged
    }
  }
}
