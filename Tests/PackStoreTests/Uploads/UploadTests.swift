import Digests
import AssetPacks
import Foundation
import Synchronization
import SystemIO
import Testing

@testable import PackStore

@Suite final class UploadTests {
  let temporary = TemporaryStore()
  let store: PackStore
  let version: VersionRecord

  init() throws {
    store = try temporary.open {
      $0.fileSizeLimit = 1_000_000
      $0.quota = Quota(maximumBytes: 1_500_000, maximumPacks: 9)
    }
    let app = try store.makeApp()
    let pack = try store.createPack(app: app.id, identifier: "a", actor: store.actor)
    version = try store.createVersion(pack: pack.id, actor: store.actor)
  }

  deinit { temporary.remove() }

  func reserve(_ size: Int) throws -> UploadRecord {
    try store.reserveUpload(version: version.id, fileName: "a.aar", fileSize: Int64(size), actor: store.actor)
  }

  func commit(_ upload: UploadRecord, _ content: [UInt8]) throws -> UploadRecord {
    try store.commitUpload(upload.id, sha256: Digest.sha256Text(content), actor: store.actor)
  }

  @Test(arguments: [(1, 1), (999, 1), (1000, 1), (1001, 2), (2500, 3)])
  func aFileIsCutIntoParts(size: Int64, count: Int) throws {
    let layout = try #require(PartLayout(fileSize: size, partSize: 1000))
    #expect(layout.count == count)
    #expect(layout.parts.map(\.length).reduce(0, +) == size)
    #expect(layout.part(0) == nil)
    #expect(layout.part(count + 1) == nil)
    #expect(layout.part(count).map { $0.offset + $0.length } == size)
  }

  @Test func partsGrowSoThatThereAreNotTooMany() {
    #expect(PartLayout.partSize(for: 10_000, wanted: 1) == 1)
    #expect(PartLayout.partSize(for: 10_001, wanted: 1) == 2)
    #expect(PartLayout.partSize(for: Int64.max, wanted: 1 << 20) > 0)
    #expect(PartLayout(fileSize: 0, partSize: 1) == nil)
  }

  @Test func partsInAnyOrderAndRepeatedGiveTheFile() throws {
    let content = pattern(4321)
    let upload = try reserve(content.count)
    for number in [5, 2, 2, 4, 1, 3, 5] { try store.send(number, of: content, upload: upload) }
    #expect(try store.upload(upload.id).missingParts == [])
    let committed = try commit(upload, content)
    #expect(committed.state == .uploadComplete)
    #expect(try store.version(version.id).state == .processing)
    #expect(try readFile(store.blobs.path(ofUpload: upload.id), limit: 1 << 20) == content)
    #expect(try store.versionsInProcessing().map(\.id) == [version.id])
  }

  @Test func partsInParallelGiveTheFile() async throws {
    let content = pattern(64_000)
    let upload = try reserve(content.count)
    let store = store
    try await withThrowingTaskGroup { group in
      for number in upload.layout.numbers { group.addTask { try store.send(number, of: content, upload: upload) } }
      try await group.waitForAll()
    }
    _ = try commit(upload, content)
    #expect(try readFile(store.blobs.path(ofUpload: upload.id), limit: 1 << 20) == content)
  }

  @Test func committingWithoutAllPartsNamesTheMissingOnes() throws {
    let content = pattern(4000)
    let upload = try reserve(content.count)
    try store.send(2, of: content, upload: upload)
    let failure = #expect(throws: StoreFailure.self) { try commit(upload, content) }
    #expect(failure == .partsMissing([1, 3, 4]))
    #expect(failure?.sentence == "Parts 1, 3, 4 have not arrived. Send them, then commit again.")
    #expect(try store.version(version.id).state == .awaitingUpload)
  }

  @Test func aCommitWaitsForNobodyAndRefusesWhileAPartIsWritten() throws {
    let content = pattern(1500)
    let upload = try reserve(content.count)
    for number in 1...2 { try store.send(number, of: content, upload: upload) }
    let writer = try store.beginPart(upload: upload.id, number: 1)
    #expect(throws: StoreFailure.partsInProgress([1])) { try commit(upload, content) }
    writer.cancel()
    // The part that was begun again and given up may hold anything: it has to be sent again.
    #expect(throws: StoreFailure.partsMissing([1])) { try commit(upload, content) }
    try store.send(1, of: content, upload: upload)
    _ = try commit(upload, content)
    #expect(throws: StoreFailure.uploadClosed(upload: upload.id, state: .uploadComplete)) {
      _ = try store.beginPart(upload: upload.id, number: 1)
    }
  }

  @Test func aDroppedWriterHoldsNothingUp() throws {
    let content = pattern(500)
    let upload = try reserve(content.count)
    do { _ = try store.beginPart(upload: upload.id, number: 1) }
    #expect(throws: StoreFailure.partsMissing([1])) { try commit(upload, content) }
  }

  @Test func aLaterRequestForAPartTakesOver() throws {
    let content = pattern(500)
    let upload = try reserve(content.count)
    let stalled = try store.beginPart(upload: upload.id, number: 1)
    try content[..<100].withUnsafeBytes { try stalled.write($0) }
    try store.send(1, of: content, upload: upload)
    #expect(throws: StoreFailure.partReplaced(part: 1)) { try [9].withUnsafeBytes { try stalled.write($0) } }
    _ = try commit(upload, content)
    #expect(throws: StoreFailure.partReplaced(part: 1)) { _ = try stalled.finish() }
    #expect(try readFile(store.blobs.path(ofUpload: upload.id), limit: 1 << 20) == content)
  }

  @Test func partsOfTheWrongLengthAreRefused() throws {
    let upload = try reserve(1500)
    let short = try store.beginPart(upload: upload.id, number: 2)
    try pattern(499).withUnsafeBytes { try short.write($0) }
    #expect(throws: StoreFailure.partTooShort(part: 2, expected: 500, received: 499)) { _ = try short.finish() }
    let long = try store.beginPart(upload: upload.id, number: 2)
    #expect(throws: StoreFailure.partTooLong(part: 2, expected: 500)) {
      try pattern(501).withUnsafeBytes { try long.write($0) }
    }
    #expect(throws: StoreFailure.partPastEnd(part: 3, count: 2)) {
      _ = try store.beginPart(upload: upload.id, number: 3)
    }
    long.cancel()
    #expect(try store.upload(upload.id).missingParts == [1, 2])
  }

  @Test func committingTwiceIsHarmless() throws {
    let content = pattern(100)
    let upload = try reserve(content.count)
    try store.send(1, of: content, upload: upload)
    let first = try commit(upload, content)
    #expect(try commit(upload, content) == first)
    #expect(throws: StoreFailure.self) { try commit(upload, pattern(99)) }
    #expect(throws: StoreFailure.self) { _ = try store.commitUpload(upload.id, sha256: "xyz", actor: store.actor) }
  }

  @Test func reservationsAreLimited() throws {
    #expect(throws: StoreFailure.fileTooLarge(size: 1_000_001, limit: 1_000_000)) { try reserve(1_000_001) }
    #expect(throws: StoreFailure.self) { try reserve(0) }
    #expect(throws: StoreFailure.self) { try reserve(-1) }
    _ = try reserve(1_000_000)
    let failure = #expect(throws: StoreFailure.self) { try reserve(1) }
    if case .alreadyExists(.upload, _, _) = failure {} else { Issue.record("\(String(describing: failure))") }
    let next = try store.createVersion(pack: version.packID, actor: store.actor)
    #expect(throws: StoreFailure.quota(.bytes(needed: 500_001, free: 500_000, maximum: 1_500_000))) {
      _ = try store.reserveUpload(version: next.id, fileName: "b", fileSize: 500_001, actor: store.actor)
    }
    #expect(try Folder.names(store.blobs.uploadsFolder).count == 1)
  }

  @Test func abandonedUploadsGiveTheirBytesBack() throws {
    let upload = try reserve(1_000_000)
    #expect(try store.usage(app: version.appID).reserved == 1_000_000)
    #expect(try store.failAbandonedUploads(reservedBefore: upload.created).isEmpty)
    #expect(try store.failAbandonedUploads(reservedBefore: upload.created + 1).map(\.state) == [.failed])
    #expect(try store.usage(app: version.appID).reserved == 0)
    #expect(try store.version(version.id).messages.map(\.code) == ["UPLOAD_ABANDONED"])
    #expect(try Folder.names(store.blobs.uploadsFolder) == [])
  }
}
