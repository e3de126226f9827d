import AppleArchive
import Digests
import Foundation
import Synchronization
import SystemIO
import TestSupport

/// Packs made for a test.
enum Packs {
  /// An archive whose files hold `content`, with a manifest for `id`. Other content, other bytes.
  static func make(
    _ id: String, _ content: [UInt8] = Array("content".utf8), platforms: [String] = ["iOS"], version: String = "1",
    userInfo: String? = nil, codec: ArchiveWriterCodec = .zlib
  ) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var writer = ArchiveWriter<SystemFailure>(codec: codec) { (piece) throws(SystemFailure) in
      bytes.append(contentsOf: piece)
    }
    let time = ArchiveTime(seconds: 946_684_800)
    let names = platforms.map { "\"\($0)\"" }.joined(separator: ",")
    let extra = userInfo.map { ",\"userInfo\":\($0)" } ?? ""
    let manifest = """
      {"assetPackID":"\(id)","downloadPolicy":{"onDemand":{}},\
      "fileSelectors":[{"directory":"d"}],"platforms":[\(names)]\(extra)}
      """
    let files: [(String, [UInt8])] = [
      ("Contents/d/data.bin", content), ("Contents/d/version.txt", Array(version.utf8)),
      ("Manifest.json", Array(manifest.utf8)),
    ]
    for (path, data) in files {
      try writer.beginFile(path, size: Int64(data.count), modified: time)
      try add(data, to: &writer)
      try writer.endFile()
    }
    try writer.finish()
    return bytes
  }

  private static func add(_ data: [UInt8], to writer: inout ArchiveWriter<SystemFailure>) throws {
    try data.withUnsafeBytes { (raw: UnsafeRawBufferPointer) throws in try writer.fileBytes(raw) }
  }

  private static let noises = Mutex<[String: UInt64]>([:])

  /// Bytes that do not compress: others at each place and each time, but the same in each run.
  static func noise(_ count: Int, file: String = #fileID, line: Int = #line) -> [UInt8] {
    let place = "\(file):\(line)"
    let time = noises.withLock { times in
      times[place, default: 0] += 1
      return times[place, default: 0]
    }
    let seed = place.utf8.reduce(time) { ($0 ^ UInt64($1)) &* 0x0100_0000_01b3 }
    var generator = SeededGenerator(seed)
    return generator.bytes(count)
  }

  static func hash(_ bytes: [UInt8]) -> String { Digest.sha256Text(bytes) }
}

/// Sample packs from other writers, which are not part of the project. Tests that need them are skipped without.
enum Samples {
  static let root: URL = {
    if let path = ProcessInfo.processInfo.environment["PACKHOUSE_SAMPLES"] { return URL(fileURLWithPath: path) }
    let package = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    return package.appendingPathComponent("../shared/samples").standardized
  }()

  static var exist: Bool { FileManager.default.fileExists(atPath: path("packs/index.json")) }

  static func path(_ name: String) -> String { root.appendingPathComponent(name).path }
  static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: root.appendingPathComponent(name)))
  }

  /// The records of a folder's `index.json`.
  static func index(_ folder: String) throws -> [[String: Any]] {
    try JSONSerialization.jsonObject(with: Data(try bytes("\(folder)/index.json"))) as? [[String: Any]] ?? []
  }
}
