import AssetPacks
import JSONText

/// An app whose packs are delivered.
package struct AppRecord: Sendable, Equatable {
  package let id: String
  package let bundleID: String
  package let name: String
  package let reviewPolicy: ReviewPolicy
  /// The patterns of `BADownloadDomainAllowList`, in the order given.
  package let domainAllowList: [String]
  /// Seconds since 1970.
  package let created: Int64
}

extension PackStore {
  /// Creates an app.
  ///
  /// - Parameter domainAllowList: nil takes the host of the public base URL.
  /// - Throws: `alreadyExists`, `valueRefused`, `hostNotAllowed` when links to the public base URL would not be
  ///   on the list.
  package func createApp(
    bundleID: String, name: String? = nil, reviewPolicy: ReviewPolicy = .none, domainAllowList: [String]? = nil,
    actor: Actor
  ) throws(StoreFailure) -> AppRecord {
    let bundleID = try checked("bundleId", try BundleID(bundleID)).text
    let domains =
      if let domainAllowList {
        try checkedDomains(domainAllowList, app: bundleID)
      } else {
        [baseURL.host.text]
      }
    let id = try newID()
    return try change(actor) { (change) throws(StoreFailure) in
      let connection = change.connection
      if let other = try connection.first("SELECT id FROM apps WHERE bundle_id = ?", bundleID, make: { $0.text(0) }) {
        throw .alreadyExists(kind: .app, name: bundleID, id: other)
      }
      try connection.run(
        "INSERT INTO apps (id, bundle_id, name, review_policy, created) VALUES (?, ?, ?, ?, ?)", id, bundleID,
        name ?? bundleID, reviewPolicy, change.now)
      try connection.setDomains(domains, app: id)
      try change.audit("app.create", app: id, subject: .text(bundleID))
      return try connection.app(id)
    }
  }

  /// The app of that id.
  package func app(_ id: String) throws(StoreFailure) -> AppRecord {
    try catalog.read { (connection) throws(StoreFailure) in try connection.app(id) }
  }

  /// The apps; with `only`, that one and no other.
  package func apps(only: String? = nil, _ listing: Listing) throws(StoreFailure) -> Page<AppRecord> {
    try catalog.read { (connection) throws(StoreFailure) in
      try connection.page(listing, where: "?1 IS NULL OR a.id = ?1", only) {
        (sequences) throws(StoreFailure) in
        let ids = try connection.rows(
          "SELECT seq, id FROM apps WHERE seq IN (SELECT value FROM json_each(?1))", CatalogConnection.list(sequences)
        ) { ($0.integer(0), $0.text(1)) }
        var rows: [(seq: Int64, item: AppRecord)] = []
        for (seq, id) in ids { rows.append((seq, try connection.app(id))) }
        return rows
      }
    }
  }

  /// The apps in order of creation.
  package func apps(bundleID: String? = nil, page: PageRequest = .init()) throws(StoreFailure) -> Page<AppRecord> {
    var filters: [Listing.Filter] = []
    if let bundleID, let column = ListSchema.apps.columns.first(where: { $0.name == "bundleId" }) {
      filters.append(Listing.Filter(column, [.string(bundleID)]))
    }
    return try apps(Listing(.apps, filters: filters, page: page))
  }

  /// Changes what is not nil.
  ///
  /// - Throws: `hostNotAllowed` when links to the public base URL would not be on the new list.
  package func updateApp(
    _ id: String, name: String? = nil, reviewPolicy: ReviewPolicy? = nil, domainAllowList: [String]? = nil,
    actor: Actor
  ) throws(StoreFailure) -> AppRecord {
    return try change(actor) { (change) throws(StoreFailure) in
      let connection = change.connection
      let old = try connection.app(id)
      if let name {
        try connection.run("UPDATE apps SET name = ? WHERE id = ?", name, id)
        try change.audit("app.name", app: id, subject: .text(old.bundleID), before: old.name, after: name)
      }
      if let reviewPolicy {
        try connection.run("UPDATE apps SET review_policy = ? WHERE id = ?", reviewPolicy, id)
        try change.audit(
          "app.reviewPolicy", app: id, subject: .text(old.bundleID), before: old.reviewPolicy.rawValue,
          after: reviewPolicy.rawValue)
      }
      if let domainAllowList {
        let domains = try checkedDomains(domainAllowList, app: old.bundleID)
        try connection.setDomains(domains, app: id)
        try change.audit(
          "app.domainAllowList", app: id, subject: .text(old.bundleID),
          before: old.domainAllowList.joined(separator: " "),
          after: domains.joined(separator: " "))
        // Versions that were complete while the list did not allow their links wait for this.
        try publishManifests(change, app: try connection.app(id), track: .internal, removals: .automatic)
      }
      return try connection.app(id)
    }
  }
}

extension CatalogConnection {
  func app(_ id: String) throws(StoreFailure) -> AppRecord {
    let domains = try rows("SELECT pattern FROM app_domains WHERE app_id = ? ORDER BY position", id) {
      $0.text(0)
    }
    let found = try first(
      "SELECT id, bundle_id, name, review_policy, created FROM apps WHERE id = ?", id
    ) { (row) throws(StoreFailure) in
      AppRecord(
        id: row.text(0), bundleID: row.text(1), name: row.text(2), reviewPolicy: try row.value(3),
        domainAllowList: domains, created: row.integer(4))
    }
    guard let found else { throw .notFound(kind: .app, name: id) }
    return found
  }

  func setDomains(_ patterns: [String], app: String) throws(StoreFailure) {
    try run("DELETE FROM app_domains WHERE app_id = ?", app)
    for (position, pattern) in patterns.enumerated() {
      try run("INSERT INTO app_domains VALUES (?, ?, ?)", app, position, pattern)
    }
  }
}

extension ListSchema {
  /// Apps, in order of creation.
  package static let apps = ListSchema(
    columns: [
      Column("bundleId", "a.bundle_id", filter: .text, sorts: true),
      Column("name", "a.name", filter: .text),
      Column("createdDate", "a.created", sorts: true),
    ], source: "apps a", sequence: "a.seq", isNewestFirst: false)
}

extension PackStore {
  /// The patterns in their clean form; the public base URL's host must be allowed by them.
  func checkedDomains(_ patterns: [String], app: String) throws(StoreFailure) -> [String] {
    let list = try checked("domainAllowList", try DomainAllowList(patterns))
    try checkHost(list, app: app)
    return list.entries
  }

  /// Refuses when links to the public base URL would leave the app's allow-list.
  func checkHost(_ list: DomainAllowList, app: String) throws(StoreFailure) {
    guard list.matches(baseURL.host) else {
      throw .hostNotAllowed(host: baseURL.host.text, app: app, allowed: list.entries)
    }
  }
}
