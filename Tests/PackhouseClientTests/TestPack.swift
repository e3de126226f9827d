import AppleArchive
import Foundation
import SystemIO

@testable import PackhouseClient

/// Archives made for a test.
enum TestPack {
  /// An archive with these files below `Contents/`, stored as they are.
  static func make(_ id: String, _ files: [(path: String, bytes: [UInt8])]) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var writer = ArchiveWriter<SystemFailure>(codec: .zlib) { (piece) throws(SystemFailure) in
      bytes.append(contentsOf: piece)
    }
    let manifest = """
      {"assetPackID":"\(id)","downloadPolicy":{"onDemand":{}},"fileSelectors":[{"directory":"d"}],"platforms":[]}
      """
    let entries = files.map { ("Contents/\($0.path)", $0.bytes) } + [("Manifest.json", Array(manifest.utf8))]
    for (path, data) in entries {
      try writer.beginFile(path, size: Int64(data.count), modified: ArchiveTime(seconds: 946_684_800))
      try data.withUnsafeBytes { (raw: UnsafeRawBufferPointer) throws in try writer.fileBytes(raw) }
      try writer.endFile()
    }
    try writer.finish()
    return bytes
  }

  /// Bytes that do not compress, the same for the same seed.
  static func noise(_ count: Int, seed: Int) -> [UInt8] {
    var state = UInt64(truncatingIfNeeded: seed) &* 0x9e37_79b9_7f4a_7c15 | 1
    return (0..<count).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt8(truncatingIfNeeded: state >> 24)
    }
  }
}

/// A folder that goes with the value.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("packhouse-client-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// All files below `folder` that are no locks, by path.
  func files(_ folder: String) -> [String] {
    let all = FileManager.default.enumerator(atPath: path + "/" + folder)?.compactMap { $0 as? String } ?? []
    return all.filter { !$0.hasSuffix(".lock") }.sorted()
  }
}

/// A scripted server, and managers of one cache that ask it.
struct ClientFixture: Sendable {
  let folder: TemporaryFolder
  let server = ScriptedServer()
  var cacheFolder: String { folder.path + "/cache" }

  init() throws { folder = try TemporaryFolder() }

  func manager(_ change: (inout ClientConfiguration) -> Void = { _ in }) throws -> AssetPackManager {
    var configuration = ClientConfiguration(manifestURL: ScriptedServer.manifestURL, cacheFolder: cacheFolder)
    configuration.firstPause = .milliseconds(1)
    configuration.attempts = 3
    configuration.lowDiskSpacePatience = .milliseconds(30)
    change(&configuration)
    return try AssetPackManager(configuration, transport: server)
  }

  /// Downloads by id.
  func ensure(_ ids: String..., with manager: AssetPackManager, latest: Bool = false) async throws {
    for id in ids {
      try await manager.ensureLocalAvailability(
        of: try await manager.assetPack(withID: id), requireLatestVersion: latest)
    }
  }

  /// What the pack's version file says; nil when it cannot be read.
  func version(_ id: String, _ manager: AssetPackManager) -> String? {
    (try? manager.contents(at: "\(id)/version.txt")).map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  /// Nothing half-done is left.
  var isTidy: Bool { folder.files("cache/downloads").isEmpty && folder.files("cache/staging").isEmpty }
}

/// Policies as they stand in manifests.
enum Policy {
  static let essentialFirst = #"{"essential":{"installationEventTypes":["firstInstallation"]}}"#
  static let essentialBoth = #"{"essential":{"installationEventTypes":["firstInstallation","subsequentUpdate"]}}"#
  static let prefetchFirst = #"{"prefetch":{"installationEventTypes":["firstInstallation"]}}"#
  static let prefetchUpdate = #"{"prefetch":{"installationEventTypes":["subsequentUpdate"]}}"#
}
