import AssetPacks
import Digests
import Foundation

@testable import PackStore

/// A catalog with many versions, written at once instead of uploaded.
struct LargeCatalog {
  let folder = NSTemporaryDirectory() + "packhouse-large-" + UUID().uuidString
  let store: PackStore
  let renders = RenderCount()
  let actor = Actor(name: "test")
  private(set) var apps: [String] = []

  /// Each app gets `packs` packs with `versions` versions; the first half of the versions was live on production, and
  /// the last of these is.
  init(apps: Int, packs: Int, versions: Int) throws {
    var options = StoreOptions(folder: folder, publicBaseURL: "https://packs.example.com")
    options.renders = renders
    store = try PackStore(options)
    for number in 1...apps {
      let app = try store.createApp(bundleID: "com.example.app\(number)", actor: actor).id
      self.apps.append(app)
      try fill(app, number, packs: packs, versions: versions)
    }
    try store.catalog.write { (connection) throws(StoreFailure) in
      try connection.run("UPDATE manifests SET base_url = ''")
    }
    try store.rerenderManifests()
  }

  func remove() { try? FileManager.default.removeItem(atPath: folder) }

  private func fill(_ app: String, _ number: Int, packs: Int, versions: Int) throws {
    let live = versions / 2
    var blobs: [(String, Int64)] = []
    for pack in 0..<packs {
      let bytes = Array("the bytes of pack \(pack) of app \(number)".utf8)
      let hash = Digest.sha256Text(bytes)
      let path = store.blobs.path(ofBlob: hash)
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      blobs.append((hash, Int64(bytes.count)))
    }
    let hashes = blobs
    try store.catalog.write { (connection) throws(StoreFailure) in
      for pack in 0..<packs {
        let packID = "\(number)-\(pack)"
        let (hash, size) = hashes[pack]
        try connection.run("INSERT INTO blobs (sha256, size, created) VALUES (?, ?, 1)", hash, size)
        try connection.run(
          "INSERT INTO packs (id, app_id, identifier, last_version, created) VALUES (?, ?, ?, ?, 1)", packID, app,
          "pack\(pack)", versions)
        for version in 1...versions {
          let id = "\(packID)-\(version)"
          try connection.run(
            """
            INSERT INTO versions (id, pack_id, number, state, created, changed, sha256, size, install_size, platforms,
            policy) VALUES (?, ?, ?, 'COMPLETE', 1, 1, ?, ?, 1, 'iOS', '{"onDemand":{}}')
            """, id, packID, version, hash, size)
          for track in Track.allCases {
            let state: String =
              switch track {
              case .production:
                version == live ? "READY_FOR_DISTRIBUTION" : version < live ? "SUPERSEDED" : "PREPARE_FOR_SUBMISSION"
              case .beta: "READY_FOR_BETA_SUBMISSION"
              case .internal: version == versions ? "READY_FOR_TESTING" : "SUPERSEDED"
              }
            let wasLive = track == .internal || track == .production && version <= live
            try connection.run(
              "INSERT INTO releases VALUES (?, ?, ?, ?, ?, 1, 1, ?)", "\(id)-\(track.rawValue)", id, packID, track,
              state, wasLive ? 1 : nil)
          }
        }
      }
    }
  }
}
