import AssetPacks
import PackStore

@testable import PackStore

extension APIFixture {
  /// An app with packs that have complete versions, written straight into the catalog. The newest version of each is
  /// live on the internal track; those with odd numbers are for iOS only.
  func fill(packs: Int, versions: Int) throws {
    let app = try store.createApp(bundleID: "com.example.filled", actor: Actor(name: "test"))
    let digest = String(repeating: "a", count: 64)
    try store.catalog.write { (connection) throws(StoreFailure) in
      try connection.run("INSERT INTO blobs (sha256, size, created) VALUES (?, 100, 0)", digest)
      for pack in 0..<packs {
        let packID = try newID()
        try connection.run(
          "INSERT INTO packs (id, app_id, identifier, last_version, created) VALUES (?, ?, ?, ?, ?)", packID, app.id,
          "pack-\(pack * 37 % packs)-\(pack)", versions, 1_700_000_000 + pack)
        for number in 1...versions {
          let id = try newID()
          try connection.run(
            """
            INSERT INTO versions (id, pack_id, number, state, created, changed, sha256, size, install_size, platforms,
              policy) VALUES (?, ?, ?, 'COMPLETE', ?, 0, ?, 100, 200, ?, '{"onDemand":{}}')
            """, id, packID, number, 1_700_000_000 + number, digest, number % 2 == 1 ? "iOS" : "")
          let states = [
            ("internal", number == versions ? "READY_FOR_TESTING" : "SUPERSEDED"),
            ("beta", "READY_FOR_BETA_SUBMISSION"), ("production", "PREPARE_FOR_SUBMISSION"),
          ]
          for (track, state) in states {
            try connection.run(
              """
              INSERT INTO releases (id, version_id, pack_id, track, state, created, changed)
              VALUES (?, ?, ?, ?, ?, 0, 0)
              """, newID(), id, packID, track, state)
          }
        }
      }
    }
  }
}
