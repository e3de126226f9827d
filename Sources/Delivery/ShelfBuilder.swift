import AssetPacks
import HTTPCore
import PackStore

/// Makes the shelf of one app, with everything of the shelf before that has not changed.
struct ShelfBuilder {
  let app: LiveState.App
  let previous: AppShelf?
  let openBlobs: OpenBlobs
  let labels: DeliveryLabels
  let counts: BuildCounts
  let seed: UInt64

  private var keys: [([UInt8], Int32)] = []
  private var resources: [Resource] = []
  private var packs: [AppShelf.PackKey: Resource] = [:]
  private var documents: [Track: [ManifestDocuments.Key: ManifestDocument]] = [:]
  private var faults: [String] = []

  init(
    _ app: LiveState.App, previous: AppShelf?, openBlobs: OpenBlobs, labels: DeliveryLabels, counts: BuildCounts,
    seed: UInt64
  ) {
    self.app = app
    self.previous = previous
    self.openBlobs = openBlobs
    self.labels = labels
    self.counts = counts
    self.seed = seed
  }

  mutating func build() -> AppShelf {
    keys.reserveCapacity(app.versions.count + 8)
    resources.reserveCapacity(app.versions.count + 8)
    for track in Track.allCases { add(track) }
    packs.reserveCapacity(app.versions.count)
    for version in app.versions {
      add("packs/\(version.number)/\(version.assetPackIdentifier)", resource(version))
    }
    return AppShelf(
      revision: app.revision, paths: ByteKeyTable(keys, seed: seed), resources: resources, packs: packs,
      documents: documents, faults: faults)
  }

  private mutating func add(_ path: String, _ resource: Resource) {
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

  private mutating func resource(_ version: LiveState.Version) -> Resource {
    let key = AppShelf.PackKey(version)
    if let known = previous?.packs[key] {
      packs[key] = known
      return known
    }
    do throws(StoreFailure) {
      let blob = try openBlobs.open(sha256: version.sha256, size: version.size, counts: counts)
      counts.addPack()
      let resource = Resource.pack(
        Representation(
          body: .file(descriptor: blob.descriptor.raw, owner: blob), length: Int(version.size),
          contentType: "application/octet-stream", cacheControl: "public, max-age=31536000, immutable",
          entityTag: version.sha256, lastModified: version.created, acceptsRanges: true,
          label: labels.label(app: app.bundleID, pack: version.assetPackIdentifier, version: version.number)))
      packs[key] = resource
      return resource
    } catch {
      // Not kept for the next shelf, so that a file that was restored is found.
      faults.append("\(version.assetPackIdentifier) version \(version.number) is not served: \(error.sentence)")
      return .damaged
    }
  }
}
