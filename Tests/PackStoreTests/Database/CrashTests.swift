import Digests
import AssetPacks
import Foundation
import SystemIO
import Testing

@testable import PackStore

/// Each test stops between two steps, opens the folder again, and goes on.
@Suite final class CrashTests {
  let temporary = TemporaryStore()
  let content = pattern(2500)

  deinit { temporary.remove() }

  /// A committed upload in a store that is closed again.
  func committed(
    _ step: (PackStore, UploadRecord) throws -> Void = { _, _ in }
  ) throws -> (version: VersionRecord, upload: UploadRecord) {
    let store = try temporary.open()
    let app = try store.makeApp()
    let pack = try store.createPack(app: app.id, identifier: "a", actor: store.actor)
    let version = try store.createVersion(pack: pack.id, actor: store.actor)
    let upload = try store.upload(content, version: version.id)
    try step(store, upload)
    return (version, upload)
  }

  /// A new run that takes the version through.
  func finish(_ version: VersionRecord, _ upload: UploadRecord) throws {
    let store = try temporary.open()
    let report = try store.recover()
    #expect(report.inProcessing.map(\.id) == [version.id])
    #expect(report.failedVersions.isEmpty)
    let file = try store.openCommittedUpload(upload.id)
    var bytes = [UInt8](repeating: 0, count: content.count)
    _ = try bytes.withUnsafeMutableBytes { try file.readAll(into: $0, at: 0) }
    #expect(bytes == content)
    let done = try store.complete(version, upload: upload, content: content)
    #expect(done.state == .complete)
    #expect(try store.blobs.openBlob(Digest.sha256Text(content), size: 2500).length() == 2500)
    let sha256 = Digest.sha256Text(content)
    #expect(throws: StoreFailure.blobDamaged(sha256: sha256, expectedSize: 2501, size: 2500)) {
      _ = try store.blobs.openBlob(sha256, size: 2501)
    }
    #expect(try Folder.names(store.blobs.uploadsFolder) == [])
  }

  func record(_ store: PackStore, _ upload: UploadRecord) throws {
    try store.catalog.write { (connection) throws(StoreFailure) in
      try connection.run(
        "UPDATE upload_files SET found_sha256 = ? WHERE id = ?", Digest.sha256Text(pattern(2500)), upload.id)
    }
  }

  @Test func afterTheCommit() throws {
    let (version, upload) = try committed()
    try finish(version, upload)
  }

  @Test func afterTheHashWasRecorded() throws {
    let (version, upload) = try committed { try self.record($0, $1) }
    try finish(version, upload)
  }

  @Test func afterTheUploadWasSealed() throws {
    let (version, upload) = try committed {
      try self.record($0, $1)
      try $0.blobs.seal(upload: $1.id)
    }
    try finish(version, upload)
  }

  @Test func afterTheRename() throws {
    let (version, upload) = try committed {
      try self.record($0, $1)
      try $0.blobs.seal(upload: $1.id)
      try $0.blobs.move(upload: $1.id, toBlob: Digest.sha256Text(self.content), size: 2500)
    }
    try finish(version, upload)
  }

  @Test func afterTheAdoption() throws {
    let (version, upload) = try committed {
      try $0.adoptUpload($1.id, sha256: Digest.sha256Text(self.content), size: 2500)
    }
    try finish(version, upload)
  }

  @Test func aBlobThatIsThereAlreadyTakesTheUpload() throws {
    let (version, upload) = try committed { store, _ in
      let path = store.blobs.path(ofBlob: Digest.sha256Text(self.content))
      try Folder.create(Folder.parent(of: path))
      try AtomicFile.write(self.content, to: path)
    }
    try finish(version, upload)
  }

  @Test func aDamagedBlobOfTheSameNameGoesToQuarantine() throws {
    let (version, upload) = try committed { store, _ in
      let path = store.blobs.path(ofBlob: Digest.sha256Text(self.content))
      try Folder.create(Folder.parent(of: path))
      try AtomicFile.write([1, 2, 3], to: path)
    }
    try finish(version, upload)
    #expect(try Folder.names("\(temporary.folder)/quarantine").count == 1)
  }

  @Test func aLostUploadFailsItsVersionWithAMessage() throws {
    let (version, upload) = try committed { try removeFile($0.blobs.path(ofUpload: $1.id)) }
    let store = try temporary.open()
    let report = try store.recover()
    #expect(report.failedVersions.map(\.id) == [version.id])
    #expect(report.inProcessing.isEmpty)
    let failed = try store.version(version.id)
    #expect(failed.state == .failed)
    #expect(failed.messages.map(\.code) == ["UPLOAD_LOST"])
    #expect(try store.upload(upload.id).state == .failed)
  }

  @Test func leftOversAreRemovedAndOpenUploadsStay() throws {
    let id: String
    do {
      let store = try temporary.open()
      let app = try store.makeApp()
      let pack = try store.createPack(app: app.id, identifier: "a", actor: store.actor)
      let version = try store.createVersion(pack: pack.id, actor: store.actor)
      let upload = try store.reserveUpload(version: version.id, fileName: "f", fileSize: 1500, actor: store.actor)
      try store.send(2, of: content, upload: try store.upload(upload.id))
      id = upload.id
      try store.blobs.createUpload("stranger", size: 10)
      try AtomicFile.write([1], to: "\(store.blobs.publishedFolder)/x.json.00\(AtomicFile.temporarySuffix)")
    }
    let store = try temporary.open()
    let report = try store.recover()
    #expect(report.removedUploads == ["stranger"])
    #expect(report.removedTemporaryFiles.count == 1)
    #expect(try Folder.names(store.blobs.uploadsFolder) == [id])
    #expect(try store.upload(id).missingParts == [1])
  }

  @Test func aVersionIsNotCompleteBeforeItsBlobIsThere() throws {
    let (version, _) = try committed()
    let store = try temporary.open()
    #expect(throws: StoreFailure.self) {
      _ = try store.completeProcessing(version: version.id, facts: store.facts(content))
    }
    #expect(try store.version(version.id).state == .processing)
  }

  @Test func aFailedVersionStaysFailed() throws {
    let (version, _) = try committed()
    let store = try temporary.open()
    let message = VersionMessage(.error, code: "BAD", description: "bad")
    #expect(try store.failProcessing(version: version.id, messages: [message]).messages == [message])
    let failure = #expect(throws: StoreFailure.self) {
      _ = try store.failProcessing(version: version.id, messages: [message])
    }
    if case .stateNotAllowed(_, "FAILED", _, let legal) = failure {
      #expect(legal.isEmpty)
    } else {
      Issue.record("\(String(describing: failure))")
    }
    #expect(try store.version(version.id).messages == [message])
  }
}
