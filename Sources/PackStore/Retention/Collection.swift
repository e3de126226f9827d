import AssetPacks
import Synchronization

/// What a collection did, or would do.
package struct CollectionReport: Sendable, Equatable {
  package struct Version: Sendable, Equatable {
    package let bundleID: String
    package let assetPackIdentifier: String
    package let number: Int
    /// The archive's length in bytes.
    package let size: Int64
    /// When its bytes may go, seconds since 1970.
    package let due: Int64
  }

  /// Past retention, and still served until they are due.
  package var waiting: [Version] = []
  /// Their bytes were collected by this run.
  package var collected: [Version] = []
  /// Blobs that were removed because nothing needs them.
  package var removedBlobs = 0
  /// Their bytes. The space is free once the last download of them ends.
  package var freedBytes: Int64 = 0
  /// Files among them that were not in the catalog: left by uploads that failed at the very end.
  package var strayBlobs = 0
}

/// How bytes that nobody needs are collected, in steps that may each be repeated after a kill:
///
/// 1. The copies in `published/` are updated, so that they name nothing that is about to go.
/// 2. One transaction marks what is past retention (its URL still answers), and collects what has been marked for long
///    enough: the version's row stays and records it, and blobs that nothing else uses are marked for removal.
/// 3. With that change a snapshot without these versions is served. Transfers in progress continue: they have the file
///    open.
/// 4. Each blob is checked once more, its file is removed, the folder is made durable, and only then the catalog
///    records that it is gone.
extension PackStore {
  /// Collects what retention no longer keeps.
  ///
  /// - Parameter app: the id of the only app to collect; nil for all, and for files that belong to none.
  package func collect(app: String? = nil, actor: Actor) throws(StoreFailure) -> CollectionReport {
    try collecting.withLock { (_: inout sending ()) throws(StoreFailure) -> CollectionReport in
      if let app { _ = try self.app(app) }
      try refreshPublications(app: app)
      var report = try giveUpVersions(app: app, actor: actor)
      if !report.collected.isEmpty { try refreshPublications(app: app) }
      try removeMarkedBlobs(&report)
      if app == nil { try removeStrayBlobs(&report) }
      if report.removedBlobs > 0 {
        let (bytes, count) = (report.freedBytes, report.removedBlobs)
        // Without the request's conditions: the transaction above has checked them.
        try change(Actor(name: actor.name, tokenID: actor.tokenID)) { (change) throws(StoreFailure) in
          try change.audit(
            "collection.run", app: app, subject: .text("\(count) blobs"), after: "\(bytes) bytes freed")
        }
      }
      return report
    }
  }

  /// What ``collect(app:actor:)`` would do now; nothing changes.
  package func previewCollection(app: String? = nil) throws(StoreFailure) -> CollectionReport {
    let published = publishedVersions()
    return try catalog.read { (connection) throws(StoreFailure) in
      if let app { _ = try connection.app(app) }
      let plan = try collectionPlan(connection, published: published, now: now())
      let candidates = plan.candidates(app: app)
      var report = CollectionReport()
      report.waiting = candidates.filter { !$0.isDue }.map(\.record)
      report.collected = candidates.filter(\.isDue).map(\.record)
      let blobs = plan.blobs(app: app, onlyDue: true)
      report.removedBlobs = blobs.count
      report.freedBytes = blobs.values.reduce(0, +)
      return report
    }
  }

  private func refreshPublications(app: String?) throws(StoreFailure) {
    let apps =
      if let app { [app] } else {
        try catalog.read { (connection) throws(StoreFailure) in
          try connection.rows("SELECT id FROM apps ORDER BY seq") { $0.text(0) }
        }
      }
    for app in apps {
      if let failure = writePublication(app: app) { throw failure }
    }
  }

  /// Step 2.
  func giveUpVersions(app: String?, actor: Actor) throws(StoreFailure) -> CollectionReport {
    let published = publishedVersions()
    return try change(actor) { (change) throws(StoreFailure) in
      let connection = change.connection
      let plan = try collectionPlan(connection, published: published, now: change.now)
      var report = CollectionReport()
      for id in plan.spared {
        try connection.run("UPDATE versions SET collectable = NULL WHERE id = ?", id)
      }
      for candidate in plan.candidates(app: app) {
        let subject = AuditSubject.version(
          pack: candidate.packID, identifier: candidate.pack, number: candidate.number)
        if !candidate.isMarked {
          try connection.run("UPDATE versions SET collectable = ? WHERE id = ?", change.now, candidate.id)
          try change.audit("version.collectable", app: candidate.appID, subject: subject)
        }
        guard candidate.isDue else {
          report.waiting.append(candidate.record)
          continue
        }
        // The size stays the same; setting it fires the trigger that records that devices get something else.
        try connection.run("UPDATE versions SET collected = ?, size = size WHERE id = ?", change.now, candidate.id)
        try change.audit("version.collect", app: candidate.appID, subject: subject, before: candidate.sha256)
        report.collected.append(candidate.record)
      }
      try connection.run(
        """
        UPDATE blobs SET collecting = ? WHERE collecting IS NULL AND collected IS NULL
        AND NOT EXISTS (SELECT 1 FROM versions v WHERE v.sha256 = blobs.sha256 AND v.collected IS NULL)
        AND NOT EXISTS (SELECT 1 FROM upload_files u WHERE u.found_sha256 = blobs.sha256
          AND u.state IN ('AWAITING_UPLOAD', 'UPLOAD_COMPLETE'))
        """, change.now)
      for id in Set(plan.candidates(app: app).filter(\.isDue).map(\.appID)).sorted() {
        try noteQuota(change, app: id)
      }
      return report
    }
  }

  /// Step 4, for what this run or one before it has marked.
  func removeMarkedBlobs(_ report: inout CollectionReport) throws(StoreFailure) {
    let marked = try catalog.read { (connection) throws(StoreFailure) in
      try connection.rows("SELECT sha256, size FROM blobs WHERE collecting IS NOT NULL ORDER BY sha256") {
        ($0.text(0), $0.integer(1))
      }
    }
    for (sha256, size) in marked where try removeBlob(sha256) {
      report.removedBlobs += 1
      report.freedBytes += size
    }
  }

  /// Files in `blobs/` without a row: an upload became a blob and its version then failed.
  private func removeStrayBlobs(_ report: inout CollectionReport) throws(StoreFailure) {
    for sha256 in try blobs.names() {
      let isKnown = try catalog.read { (connection) throws(StoreFailure) in
        try connection.first(
          "SELECT 1 FROM blobs WHERE sha256 = ? AND collected IS NULL", sha256
        ) { _ in true } ?? false
      }
      if isKnown { continue }
      let size = try blobs.size(ofBlob: sha256) ?? 0
      guard try removeBlob(sha256) else { continue }
      report.removedBlobs += 1
      report.strayBlobs += 1
      report.freedBytes += size
    }
  }

  /// Removes the file of a blob unless something needs it after all.
  ///
  /// An upload that is about to become this blob has recorded that in the catalog before it takes the lock that is held
  /// here: either this sees it and keeps the blob, or the upload finds no file and brings its own.
  /// - Returns: whether it is gone.
  func removeBlob(_ sha256: String) throws(StoreFailure) -> Bool {
    try adopting.withLock { (_: inout sending ()) throws(StoreFailure) -> Bool in
      let isNeeded = try catalog.read { (connection) throws(StoreFailure) in try connection.isNeeded(blob: sha256) }
      if !isNeeded { try blobs.removeBlob(sha256) }
      let now = now()
      try catalog.write { (connection) throws(StoreFailure) in
        try connection.run(
          "UPDATE blobs SET collecting = NULL, collected = ? WHERE sha256 = ?", isNeeded ? nil : now, sha256)
      }
      return !isNeeded
    }
  }
}

extension CatalogConnection {
  /// Whether a version has these bytes, or an upload is about to.
  func isNeeded(blob sha256: String) throws(StoreFailure) -> Bool {
    try first(
      """
      SELECT EXISTS (SELECT 1 FROM versions WHERE sha256 = ?1 AND collected IS NULL)
        OR EXISTS (SELECT 1 FROM upload_files
          WHERE found_sha256 = ?1 AND state IN ('AWAITING_UPLOAD', 'UPLOAD_COMPLETE'))
      """, sha256
    ) { $0.flag(0) } ?? false
  }
}
