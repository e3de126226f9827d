import AssetPacks
import SystemIO

extension PackStore {
  /// Reserves the upload of a version's archive: the bytes count for the quota from now on.
  ///
  /// - Throws: `notFound`, `fileTooLarge`, `valueRefused`, `stateNotAllowed`, `alreadyExists` when the version has
  ///   an upload already, `quotaExceeded`, `diskFull`.
  package func reserveUpload(
    version: String, fileName: String, fileSize: Int64, actor: Actor
  ) throws(StoreFailure) -> UploadRecord {
    let partSize = PartLayout.partSize(for: fileSize, wanted: options.partSize)
    guard PartLayout(fileSize: fileSize, partSize: partSize) != nil else {
      throw .valueRefused(field: "fileSize", value: "\(fileSize)", expected: "a length in bytes above 0")
    }
    if fileSize > options.fileSizeLimit { throw .fileTooLarge(size: fileSize, limit: options.fileSizeLimit) }
    try checkFreeSpace(adding: fileSize)
    // A first check, so that a refusal creates no file.
    try catalog.read { (connection) throws(StoreFailure) in
      try checkReservation(connection, version: version, fileSize: fileSize)
    }
    let id = try newID()
    try blobs.createUpload(id, size: fileSize)
    do throws(StoreFailure) {
      return try change(actor) { (change) throws(StoreFailure) in
        try checkReservation(change.connection, version: version, fileSize: fileSize)
        try change.connection.run(
          """
          INSERT INTO upload_files (id, version_id, asset_type, file_name, size, part_size, state, created)
          VALUES (?, ?, 'ASSET', ?, ?, ?, ?, ?)
          """, id, version, fileName, fileSize, partSize, UploadFileStateMachine.creation, change.now)
        let owner = try change.connection.version(version)
        try change.audit(
          "upload.reserve", app: owner.appID, subject: owner.auditSubject,
          after: "\(fileSize) bytes")
        return try change.connection.upload(id)
      }
    } catch {
      try? blobs.removeUpload(id)
      throw error
    }
  }

  /// The upload of that id.
  package func upload(_ id: String) throws(StoreFailure) -> UploadRecord {
    try catalog.read { (connection) throws(StoreFailure) in try connection.upload(id) }
  }

  /// The uploads with these ids, as far as they exist.
  package func uploads(ids: [String]) throws(StoreFailure) -> [UploadRecord] {
    try catalog.read { (connection) throws(StoreFailure) in
      try connection.uploads("id IN (SELECT value FROM json_each(?1))", CatalogConnection.list(ids))
    }
  }

  /// The upload of a version's archive; nil before one is reserved.
  package func upload(version: String) throws(StoreFailure) -> UploadRecord? {
    try catalog.read { (connection) throws(StoreFailure) in try connection.upload(version: version) }
  }

  /// Starts to receive a part. An earlier request for the same part is ended.
  ///
  /// A part that had arrived counts as missing again until the new one has ended.
  /// - Throws: `notFound`, `partPastEnd`, `uploadClosed`, `uploadBytesMissing`.
  package func beginPart(upload id: String, number: Int) throws(StoreFailure) -> UploadPartWriter {
    let layout = try upload(id).layout
    guard let part = layout.part(number) else { throw .partPastEnd(part: number, count: layout.count) }
    try checkFreeSpace(adding: part.length)
    let writer = UploadPartWriter(upload: id, part: part, leases: leases) {
      [catalog, clock = options.clock] (entityTag) throws(StoreFailure) in
      try catalog.write { (connection) throws(StoreFailure) in
        try connection.checkOpen(upload: id)
        try connection.run(
          "INSERT INTO upload_parts VALUES (?, ?, ?, ?) ON CONFLICT (upload_id, number) DO UPDATE SET "
            + "etag = excluded.etag, received = excluded.received", id, number, entityTag, clock.now())
      }
    }
    try writer.begin(path: blobs.path(ofUpload: id)) { () throws(StoreFailure) in
      let wasReceived = try catalog.read { (connection) throws(StoreFailure) in
        try connection.checkOpen(upload: id)
        return try connection.upload(id).received[number] != nil
      }
      guard wasReceived else { return }
      try catalog.write { (connection) throws(StoreFailure) in
        try connection.run("DELETE FROM upload_parts WHERE upload_id = ? AND number = ?", id, number)
      }
    }
    return writer
  }

  /// Ends an upload: no more parts are accepted, and the version is in processing.
  ///
  /// Doing it twice with the same checksum is harmless.
  /// - Parameter sha256: the client's hash of the whole file; 64 hexadecimal digits.
  /// - Throws: `partsMissing`, `partsInProgress`, `uploadClosed`, `valueRefused`.
  package func commitUpload(_ id: String, sha256: String?, actor: Actor) throws(StoreFailure) -> UploadRecord {
    let declared = try sha256.map { (text) throws(StoreFailure) in try checkedSHA256(text) }
    return try leases.closed(id) { () throws(StoreFailure) in
      try change(actor) { (change) throws(StoreFailure) in
        let connection = change.connection
        let upload = try connection.upload(id)
        guard upload.state == .awaitingUpload else {
          if upload.state != .failed, upload.declaredSHA256 == declared { return upload }
          throw .uploadClosed(upload: id, state: upload.state)
        }
        let missing = upload.missingParts
        guard missing.isEmpty else { throw .partsMissing(missing) }
        try connection.run("UPDATE upload_files SET declared_sha256 = ? WHERE id = ?", declared, id)
        try change.move(upload: upload, [.commit])
        try change.move(version: try connection.version(upload.versionID), [.commit])
        return try connection.upload(id)
      }
    }
  }

  /// Leaves room on the disk for the catalog: releases and rollbacks must work when uploads cannot.
  private func checkFreeSpace(adding bytes: Int64) throws(StoreFailure) {
    guard options.freeSpace > 0, let free = FreeSpace.bytes(at: options.folder) else { return }
    let (needed, overflow) = options.freeSpace.addingReportingOverflow(bytes)
    guard !overflow, needed <= free else {
      throw .diskNearlyFull(path: options.folder, free: free, needed: overflow ? Int64.max : needed)
    }
  }

  private func checkedSHA256(_ text: String) throws(StoreFailure) -> String {
    let text = text.lowercased()
    guard text.utf8.count == 64, text.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }) else {
      throw .valueRefused(field: "sourceFileChecksums.file.hash", value: text, expected: "64 hexadecimal digits")
    }
    return text
  }

  private func checkReservation(
    _ connection: CatalogConnection, version: String, fileSize: Int64
  ) throws(StoreFailure) {
    let owner = try connection.version(version)
    if let other = try connection.upload(version: version) {
      throw .alreadyExists(kind: .upload, name: "of \(owner.assetPackIdentifier) \(owner.number)", id: other.id)
    }
    guard owner.state == .awaitingUpload else {
      throw .stateNotAllowed(
        subject: "\(owner.assetPackIdentifier) \(owner.number)", state: owner.state.rawValue, move: "an upload",
        legalMoves: [])
    }
    try checkQuota(connection, app: owner.appID, adding: fileSize)
  }
}

extension CatalogConnection {
  func upload(_ id: String) throws(StoreFailure) -> UploadRecord {
    guard let found = try uploads("id = ?1", id).first else { throw .notFound(kind: .upload, name: id) }
    return found
  }

  func upload(version: String) throws(StoreFailure) -> UploadRecord? {
    try uploads("version_id = ?1 AND asset_type = 'ASSET'", version).first
  }

  func uploads(_ condition: String, _ values: any SQLBindable...) throws(StoreFailure) -> [UploadRecord] {
    try rows(
      """
      SELECT id, version_id, asset_type, file_name, size, part_size, state, declared_sha256, created
      FROM upload_files WHERE \(condition)
      """, values
    ) { (row) throws(StoreFailure) in
      guard let layout = PartLayout(fileSize: row.integer(4), partSize: row.integer(5)) else {
        throw .valueUnknown(column: "upload_files.size", value: row.text(4))
      }
      let parts = try rows("SELECT number, etag FROM upload_parts WHERE upload_id = ?", row.text(0)) {
        ($0.number(0), $0.text(1))
      }
      return UploadRecord(
        id: row.text(0), versionID: row.text(1), assetType: row.text(2), fileName: row.text(3), layout: layout,
        state: try row.value(6), declaredSHA256: row.optionalText(7),
        received: Dictionary(parts, uniquingKeysWith: { $1 }), created: row.integer(8))
    }
  }

  /// Refuses when the upload no longer takes parts.
  func checkOpen(upload id: String) throws(StoreFailure) {
    let state = try first("SELECT state FROM upload_files WHERE id = ?", id) {
      (row) throws(StoreFailure) in try row.value(0, UploadFileState.self)
    }
    guard let state else { throw .notFound(kind: .upload, name: id) }
    if state != .awaitingUpload { throw .uploadClosed(upload: id, state: state) }
  }
}

extension PackStore {
  /// The secret that upload addresses are signed with: 32 random bytes, made once for each state folder.
  package func uploadSigningKey() throws(StoreFailure) -> [UInt8] {
    try setting("upload-signing-key") { () throws(StoreFailure) in
      try random(try secureRandomBytes(32))
    }
  }
}
