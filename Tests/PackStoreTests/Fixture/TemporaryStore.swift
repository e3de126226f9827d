import Digests
import AssetPacks
import Foundation
import JSONText
import Synchronization
import SystemIO

@testable import PackStore

/// A time that a test sets.
final class TestTime: Sendable {
  private let value: Mutex<Int64>

  /// Seconds since 1970.
  init(_ start: Int64 = 1_800_000_000) { value = Mutex(start) }

  var clock: WallClock { WallClock { self.value.withLock { $0 } } }

  func advance(_ seconds: Int64) { value.withLock { $0 += seconds } }
}

/// A state folder of a test, which can be opened again and again.
struct TemporaryStore {
  static let actor = Actor(name: "tester", tokenID: "t")
  let folder = NSTemporaryDirectory() + "packhouse-store-\(UUID().uuidString)"
  let time = TestTime()

  func open(_ change: (inout StoreOptions) -> Void = { _ in }) throws -> PackStore {
    var options = StoreOptions(folder: folder, publicBaseURL: "https://packs.example.com")
    options.clock = time.clock
    options.partSize = 1000
    change(&options)
    return try PackStore(options)
  }

  func remove() { try? FileManager.default.removeItem(atPath: folder) }
}

extension PackStore {
  var actor: Actor { TemporaryStore.actor }

  func makeApp(_ bundleID: String = "com.example.game") throws -> AppRecord {
    try createApp(bundleID: bundleID, actor: actor)
  }

  /// Sends all parts of `content` and commits.
  @discardableResult
  func upload(_ content: [UInt8], version: String) throws -> UploadRecord {
    let upload = try reserveUpload(version: version, fileName: "a.aar", fileSize: Int64(content.count), actor: actor)
    for part in upload.layout.parts { try send(part.number, of: content, upload: upload) }
    return try commitUpload(upload.id, sha256: Digest.sha256Text(content), actor: actor)
  }

  @discardableResult
  func send(_ number: Int, of content: [UInt8], upload: UploadRecord) throws -> String {
    let writer = try beginPart(upload: upload.id, number: number)
    let start = Int(writer.part.offset)
    try content[start..<start + Int(writer.part.length)].withUnsafeBytes { try writer.write($0) }
    return try writer.finish()
  }

  /// A complete version of a pack, all the way.
  @discardableResult
  func makeVersion(
    _ pack: PackRecord, content: [UInt8]? = nil, platforms: [Platform] = []
  ) throws -> VersionRecord {
    let version = try createVersion(pack: pack.id, actor: actor)
    let content = content ?? Array("\(pack.identifier) \(version.number)".utf8)
    let upload = try upload(content, version: version.id)
    return try complete(version, upload: upload, content: content, platforms: platforms)
  }

  func complete(
    _ version: VersionRecord, upload: UploadRecord, content: [UInt8], platforms: [Platform] = []
  ) throws -> VersionRecord {
    try adoptUpload(upload.id, sha256: Digest.sha256Text(content), size: Int64(content.count))
    return try completeProcessing(version: version.id, facts: facts(content, platforms: platforms))
  }

  func facts(_ content: [UInt8], platforms: [Platform] = []) -> ProcessingFacts {
    ProcessingFacts(
      sha256: Digest.sha256Text(content), size: Int64(content.count), installSize: 2 * Int64(content.count),
      platforms: platforms, language: nil, policy: .onDemand, userInfo: JSONObject([("a", "b")]),
      messages: [VersionMessage(.warning, code: "W", description: "w")])
  }
}

/// Bytes that are the same in each run.
func pattern(_ count: Int, seed: UInt8 = 1) -> [UInt8] {
  var value = UInt32(seed)
  return (0..<count).map { _ in
    value = value &* 1_664_525 &+ 1_013_904_223
    return UInt8(value >> 24)
  }
}
