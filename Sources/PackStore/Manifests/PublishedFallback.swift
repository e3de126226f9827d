import AssetPacks
import Digests
import JSONText
import SystemIO
import Values

/// The last good manifests as files: they are served when the catalog cannot be read at start.
///
/// `published/<bundle id>/app.json` has the app's allow-list and versions; the manifests are in
/// `published/<bundle id>/<track>/<platform or all>.json`, byte for byte.
package enum PublishedFallback {
  private static let manifestLimit = 64 << 20

  /// Loads what is published below a state folder. An app whose files cannot be read is left out.
  package static func load(stateFolder: String) throws(StoreFailure) -> LiveState {
    let folder = "\(stateFolder)/published"
    var apps: [LiveState.App] = []
    guard try onDisk(folder, try FileStatus.of(folder)) != nil else {
      return LiveState(apps: [])
    }
    for name in try onDisk(folder, try Folder.names(folder)) {
      if let app = try? app(in: "\(folder)/\(name)") { apps.append(app) }
    }
    return LiveState(apps: apps)
  }

  /// Writes the files of an app, each atomically.
  ///
  /// The list of versions goes first: it only ever grows, so it also fits the manifests before, should this be
  /// interrupted.
  static func write(_ app: LiveState.App, to folder: String) throws(SystemFailure) {
    let folder = "\(folder)/\(app.bundleID)"
    try Folder.create(folder)
    let description = json(app).serialize(.pretty)
    if (try? readFile("\(folder)/app.json", limit: description.count)) != description {
      try AtomicFile.write(description, to: "\(folder)/app.json")
    }
    for manifest in app.manifests {
      let (track, path) = place(manifest.track, manifest.scope, manifest.variant, in: folder)
      // Most releases change one track only.
      if let old = try? readFile(path, limit: manifest.bytes.count), old == manifest.bytes { continue }
      try Folder.create(track)
      try AtomicFile.write(manifest.bytes, to: path)
    }
  }

  /// The folder and the file of a manifest: `<track>/<scope>.json`, `<track>/rollout/<scope>.json`, and the same below
  /// `<track>/lanes/<lane>/`.
  private static func place(
    _ track: Track, _ scope: ManifestScope, _ variant: ManifestVariant, in folder: String
  ) -> (folder: String, file: String) {
    let lane = variant.lane.map { "/lanes/\($0)" } ?? ""
    let side = variant.side == .new ? "/rollout" : ""
    let folder = "\(folder)/\(track.rawValue)\(lane)\(side)"
    return (folder, "\(folder)/\(scope.name).json")
  }

  private static func json(_ app: LiveState.App) -> JSONValue {
    let manifests = app.manifests.map { manifest -> JSONValue in
      var line = JSONObject([
        ("track", .string(manifest.track.rawValue)), ("platform", .string(manifest.scope.name)),
        ("generation", .integer(manifest.generation)), ("published", .integer(manifest.published)),
      ])
      if let lane = manifest.variant.lane { line.set("lane", .string(lane)) }
      if manifest.variant.side == .new { line.set("side", .string(manifest.variant.side.rawValue)) }
      // A file left behind by an earlier rollout must not be mistaken for this one's.
      if manifest.variant != .base { line.set("sha256", .string(manifest.sha256)) }
      return .object(line)
    }
    let rollouts = app.rollouts.map { rollout -> JSONValue in
      [
        "track": .string(rollout.track.rawValue), "percent": .integer(rollout.percent),
        "salt": .string(String(rollout.salt)),
      ]
    }
    let versions = app.versions.map { version -> JSONValue in
      [
        "assetPackID": .string(version.assetPackIdentifier), "version": .integer(version.number),
        "sha256": .string(version.sha256), "size": .integer(version.size), "created": .integer(version.created),
        "live": .bool(version.isLive),
      ]
    }
    return [
      "id": .string(app.id), "bundleID": .string(app.bundleID),
      "domainAllowList": .array(app.domainAllowList.map { .string($0) }), "manifests": .array(manifests),
      "versions": .array(versions), "rollouts": .array(rollouts),
    ]
  }

  /// An app from its folder; nil when `app.json` is not what ``write(_:to:)`` writes.
  private static func app(in folder: String) throws -> LiveState.App? {
    let root = try JSONParser.parse(readFile("\(folder)/app.json", limit: manifestLimit), dialect: .strict).root
    guard let id = root["id"]?.string, let bundleID = root["bundleID"]?.string,
      let domains = root["domainAllowList"]?.array, let lines = root["manifests"]?.array,
      let versions = root["versions"]?.array
    else { return nil }
    return LiveState.App(
      id: id, bundleID: bundleID, domainAllowList: domains.compactMap(\.string),
      manifests: lines.compactMap { manifest($0, in: folder) }, versions: versions.compactMap { version($0) },
      rollouts: (root["rollouts"]?.array ?? []).compactMap { rollout($0) })
  }

  private static func rollout(_ line: JSONValue) -> LiveState.App.Rollout? {
    guard let track = line["track"]?.string.flatMap({ Track(rawValue: $0) }), let percent = line["percent"]?.int,
      let salt = line["salt"]?.string.flatMap({ UInt64($0) }), (0...100).contains(percent)
    else { return nil }
    return LiveState.App.Rollout(track: track, percent: percent, salt: salt)
  }

  private static func manifest(_ line: JSONValue, in folder: String) -> ManifestRecord? {
    guard let track = line["track"]?.string.flatMap({ Track(rawValue: $0) }),
      let scope = line["platform"]?.string.flatMap({ ManifestScope(name: $0) }),
      let generation = line["generation"]?.int, let published = line["published"]?.int,
      let variant = variant(line),
      let bytes = try? readFile(place(track, scope, variant, in: folder).file, limit: manifestLimit)
    else { return nil }
    let hash = Digest.sha256Text(bytes)
    if variant != .base, line["sha256"]?.string != hash { return nil }
    return ManifestRecord(
      track: track, scope: scope, generation: generation, bytes: bytes, sha256: hash,
      published: Int64(published), variant: variant)
  }

  private static func variant(_ line: JSONValue) -> ManifestVariant? {
    let lane = line["lane"]?.string
    // It becomes part of a path.
    if let lane, LaneName(lane) == nil { return nil }
    return ManifestVariant(lane: lane, side: line["side"] == nil ? .current : .new)
  }

  private static func version(_ line: JSONValue) -> LiveState.Version? {
    guard let identifier = line["assetPackID"]?.string, let number = line["version"]?.int,
      let sha256 = line["sha256"]?.string, bytes(hexadecimal: sha256)?.count == 32, let size = line["size"]?.int,
      let created = line["created"]?.int, let isLive = line["live"]?.bool
    else { return nil }
    return LiveState.Version(
      assetPackIdentifier: identifier, number: number, sha256: sha256, size: Int64(size), created: Int64(created),
      isLive: isLive)
  }
}

extension PackStore {
  /// Writes the copies below `published/` of the apps whose last change is not in them: of a change just now, and of
  /// those for which the disk had no room. The committed change stays in either case.
  package func writeMissingPublications() {
    for id in unwritten.withLock({ $0.sorted() }) {
      guard let failure = writePublication(app: id) else { continue }
      let name = (try? app(id).bundleID) ?? id
      for observer in observers.withLock({ $0.compactMap(\.observer) }) {
        observer.publicationFailed(app: name, failure)
      }
    }
  }

  /// Writes the manifests of an app to `published/`, for a start that cannot read the catalog.
  ///
  /// - Returns: why it could not.
  @discardableResult
  func writePublication(app id: String) -> StoreFailure? {
    publishing.withLock { _ in
      do throws(StoreFailure) {
        let app = try catalog.read { (connection) throws(StoreFailure) in try connection.liveApp(id) }
        let folder = blobs.publishedFolder
        try onDisk(folder, try PublishedFallback.write(app, to: folder))
        _ = unwritten.withLock { $0.remove(id) }
        return nil
      } catch { return error }
    }
  }
}
