import AssetPacks

/// A file that is being uploaded for a version.
package struct UploadRecord: Sendable, Equatable {
  package let id: String
  package let versionID: String
  /// `ASSET` or `MANIFEST`.
  package let assetType: String
  package let fileName: String
  package let layout: PartLayout
  package let state: UploadFileState
  /// The SHA-256 that the client gave with the commit, hexadecimal.
  package let declaredSHA256: String?
  /// The entity tags of the parts that have arrived, by part number (from 1).
  package let received: [Int: String]
  /// Seconds since 1970.
  package let created: Int64

  /// The whole file's length in bytes.
  package var fileSize: Int64 { layout.fileSize }

  /// The numbers of the parts that have not arrived, rising.
  package var missingParts: [Int] { layout.numbers.filter { received[$0] == nil } }
}

extension Change {
  /// Moves an upload by `events`.
  func move(upload: UploadRecord, _ events: [UploadFileStateMachine.Event]) throws(StoreFailure) {
    let subject = "The upload \(upload.fileName)"
    for next in try walk(UploadFileStateMachine(state: upload.state), events, subject: subject) {
      try connection.run(
        "UPDATE upload_files SET state = ?1, committed = coalesce(committed, ?2) WHERE id = ?3", next, now,
        upload.id)
    }
  }
}

/// How a file is cut into parts: all of `partSize` bytes but the last, which takes the rest.
package struct PartLayout: Sendable, Equatable {
  package struct Part: Sendable, Equatable {
    /// From 1.
    package let number: Int
    package let offset: Int64
    package let length: Int64
  }

  /// Above 0.
  package let fileSize: Int64
  /// Above 0.
  package let partSize: Int64

  /// Nil unless both sizes are above 0.
  package init?(fileSize: Int64, partSize: Int64) {
    guard fileSize > 0, partSize > 0 else { return nil }
    self.fileSize = fileSize
    self.partSize = partSize
  }

  /// How many parts there are, at least 1.
  package var count: Int { Int(clamping: (fileSize - 1) / partSize + 1) }

  /// All part numbers, rising.
  package var numbers: ClosedRange<Int> { 1...count }

  /// The part of that number; nil past either end.
  package func part(_ number: Int) -> Part? {
    guard number >= 1, number <= count else { return nil }
    let offset = Int64(number - 1) * partSize
    return Part(number: number, offset: offset, length: min(partSize, fileSize - offset))
  }

  /// All parts in order.
  package var parts: [Part] { numbers.compactMap { part($0) } }

  /// The smallest part size, in whole multiples of `wanted`, that cuts `fileSize` into at most `limit` parts.
  package static func partSize(for fileSize: Int64, wanted: Int64, limit: Int64 = 10_000) -> Int64 {
    let wanted = max(wanted, 1)
    let pieces = max(fileSize - 1, 0) / wanted + 1
    let (size, overflow) = wanted.multipliedReportingOverflow(by: (pieces - 1) / max(limit, 1) + 1)
    return overflow ? Int64.max : size
  }
}
