import Digests
import AssetPacks
import Foundation
import SystemIO
import Testing

@testable import PackStore

/// Requests that come at the same time.
@Suite final class UploadRaceTests {
  let temporary = TemporaryStore()

  deinit { temporary.remove() }

  @Test func manyRequestsForOnePartLeaveOneWhole() async throws {
    let store = try temporary.open { $0.partSize = 100_000 }
    let app = try store.makeApp()
    let pack = try store.createPack(app: app.id, identifier: "a", actor: store.actor)
    let version = try store.createVersion(pack: pack.id, actor: store.actor)
    let content = pattern(100_000)
    let upload = try store.reserveUpload(version: version.id, fileName: "f", fileSize: 100_000, actor: store.actor)
    await withTaskGroup { group in
      for _ in 0..<16 {
        group.addTask {
          do {
            let writer = try store.beginPart(upload: upload.id, number: 1)
            for start in stride(from: 0, to: content.count, by: 1000) {
              try content[start..<start + 1000].withUnsafeBytes { try writer.write($0) }
            }
            _ = try writer.finish()
          } catch {
            #expect(error as? StoreFailure == .partReplaced(part: 1))
          }
        }
      }
    }
    #expect(try store.upload(upload.id).received == [1: Digest.sha256Text(content)])
    _ = try store.commitUpload(upload.id, sha256: nil, actor: store.actor)
    #expect(try readFile(store.blobs.path(ofUpload: upload.id), limit: 1 << 20) == content)
  }

  @Test func committedBytesNeverChange() async throws {
    let store = try temporary.open()
    let app = try store.makeApp()
    let pack = try store.createPack(app: app.id, identifier: "a", actor: store.actor)
    let content = pattern(500)
    var committed = 0
    for round in 0..<40 {
      let version = try store.createVersion(pack: pack.id, actor: store.actor)
      let upload = try store.reserveUpload(version: version.id, fileName: "f", fileSize: 500, actor: store.actor)
      try store.send(1, of: content, upload: upload)
      let path = store.blobs.path(ofUpload: upload.id)
      let late = Task {
        _ = try? store.send(1, of: pattern(500, seed: UInt8(round + 2)), upload: upload)
      }
      let commit = Task { () throws -> [UInt8] in
        _ = try store.commitUpload(upload.id, sha256: nil, actor: store.actor)
        return try readFile(path, limit: 1000)
      }
      let result = await commit.result
      await late.value
      guard case .success(let bytes) = result else { continue }
      committed += 1
      #expect(try readFile(path, limit: 1000) == bytes)
    }
    // Whoever comes first wins; what matters is only that a commit is final.
    #expect(committed <= 40)
  }

  @Test func releasesAndReadersAtTheSameTimeSeeWholeStates() async throws {
    let store = try temporary.open()
    let app = try store.makeApp()
    for name in ["a", "b"] {
      let pack = try store.createPack(app: app.id, identifier: name, actor: store.actor)
      for _ in 0..<8 { try store.makeVersion(pack) }
    }
    let writer = Task {
      for number in 1...8 {
        _ = try store.release(
          app: app.id, track: .production,
          packs: [ReleaseItem("a", number: number), ReleaseItem("b", number: number)], actor: store.actor)
      }
    }
    try await withThrowingTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<50 {
            let numbers = try store.tracks(app: app.id).first { $0.track == .production }?.packs.map(\.number) ?? []
            #expect(numbers.isEmpty || numbers == [numbers[0], numbers[0]])
          }
        }
      }
      try await group.waitForAll()
    }
    try await writer.value
    #expect(try PublishedFallback.load(stateFolder: temporary.folder) == store.liveState())
  }
}
