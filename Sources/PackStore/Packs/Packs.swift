import AssetPacks
import JSONText

/// An asset pack: a name whose bytes change from version to version.
package struct PackRecord: Sendable, Equatable {
  package let id: String
  package let appID: String
  /// The `assetPackID` of the packaging manifest.
  package let identifier: String
  package let archived: Bool
  /// The highest version number given so far; 0 before the first.
  package let lastVersion: Int
  /// Seconds since 1970.
  package let created: Int64
  /// What the pack uses of the quota: the bytes of its largest eligible version.
  package let usedBytes: Int64
  /// The versions that are live on the three tracks.
  package let internalVersionID: String?
  package let externalVersionID: String?
  package let productionVersionID: String?
}

extension ListSchema {
  /// The packs of an app, in order of creation.
  package static let packs = ListSchema(
    columns: [
      Column("assetPackIdentifier", "p.identifier", filter: .text, sorts: true),
      Column("archived", "p.archived", filter: .flag),
      Column("createdDate", "p.created", sorts: true),
    ], source: "packs p", sequence: "p.seq", isNewestFirst: false)
}

extension PackStore {
  /// Creates a pack of an app.
  ///
  /// - Throws: `alreadyExists`, `valueRefused`, `notFound`, `tooManyPacks`.
  package func createPack(app: String, identifier: String, actor: Actor) throws(StoreFailure) -> PackRecord {
    let identifier = try checked("assetPackIdentifier", try AssetPackID(identifier)).text
    let id = try newID()
    return try change(actor) { (change) throws(StoreFailure) in
      let connection = change.connection
      _ = try connection.app(app)
      let other = try connection.first(
        "SELECT id FROM packs WHERE app_id = ? AND identifier = ?", app, identifier
      ) { $0.text(0) }
      if let other { throw .alreadyExists(kind: .pack, name: identifier, id: other) }
      try checkPackCount(connection, app: app)
      try connection.run(
        "INSERT INTO packs (id, app_id, identifier, created) VALUES (?, ?, ?, ?)", id, app, identifier, change.now)
      try change.audit("pack.create", app: app, subject: .pack(id, identifier: identifier))
      return try connection.pack(id)
    }
  }

  /// The pack of that id.
  package func pack(_ id: String) throws(StoreFailure) -> PackRecord {
    try catalog.read { (connection) throws(StoreFailure) in try connection.pack(id) }
  }

  /// The packs of an app.
  package func packs(app: String, _ listing: Listing) throws(StoreFailure) -> Page<PackRecord> {
    try catalog.read { (connection) throws(StoreFailure) in
      _ = try connection.app(app)
      return try connection.page(listing, where: "p.app_id = ?1", app) {
        (sequences) throws(StoreFailure) in
        try connection.packs("p.seq IN (SELECT value FROM json_each(?1))", CatalogConnection.list(sequences))
      }
    }
  }

  /// The packs of an app in order of creation.
  package func packs(
    app: String, identifier: String? = nil, page: PageRequest = .init()
  ) throws(StoreFailure) -> Page<PackRecord> {
    var filters: [Listing.Filter] = []
    if let identifier, let column = ListSchema.packs.columns.first(where: { $0.name == "assetPackIdentifier" }) {
      filters.append(Listing.Filter(column, [.string(identifier)]))
    }
    return try packs(app: app, Listing(.packs, filters: filters, page: page))
  }
}

extension CatalogConnection {
  static let packColumns =
    "p.seq, p.id, p.app_id, p.identifier, p.archived, p.last_version, p.created, "
    + [Track.internal, .beta, .production].map { liveVersion(on: $0) }.joined(separator: ", ")

  private static func liveVersion(on track: Track) -> String {
    """
    (SELECT version_id FROM releases WHERE pack_id = p.id AND track = '\(track.rawValue)'
      AND state IN ('READY_FOR_TESTING', 'READY_FOR_DISTRIBUTION'))
    """
  }

  func pack(_ row: Row) throws(StoreFailure) -> PackRecord {
    PackRecord(
      id: row.text(1), appID: row.text(2), identifier: row.text(3), archived: row.flag(4),
      lastVersion: row.number(5), created: row.integer(6),
      usedBytes: row.flag(4) ? 0 : Int64(Quota.usedBytes(ofPack: try quotaVersions(pack: row.text(1)))),
      internalVersionID: row.optionalText(7), externalVersionID: row.optionalText(8),
      productionVersionID: row.optionalText(9))
  }

  /// The packs that meet `condition`, where `p` is the pack.
  func packs(_ condition: String, _ values: any SQLBindable...) throws(StoreFailure) -> [(seq: Int64, item: PackRecord)]
  {
    try rows("SELECT \(Self.packColumns) FROM packs p WHERE \(condition)", values) { (row) throws(StoreFailure) in
      (seq: row.integer(0), item: try pack(row))
    }
  }

  func pack(_ id: String) throws(StoreFailure) -> PackRecord {
    let found = try packs("p.id = ?1", id).first?.item
    guard let found else { throw .notFound(kind: .pack, name: id) }
    return found
  }

  func pack(app: String, identifier: String) throws(StoreFailure) -> PackRecord {
    let found = try first(
      "SELECT \(Self.packColumns) FROM packs p WHERE p.app_id = ? AND p.identifier = ?", app, identifier
    ) { (row) throws(StoreFailure) in try pack(row) }
    guard let found else { throw .notFound(kind: .pack, name: identifier) }
    return found
  }
}
