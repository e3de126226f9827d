import Foundation

/// Entries written by hand, for archives that the writer refuses to make.
struct RawArchive {
  private(set) var bytes: [UInt8] = []

  mutating func file(_ path: String, _ content: [UInt8] = [], mode: UInt16 = 0o644) {
    entry("F", path, mode, [UInt8]("DATB".utf8) + Self.little(UInt32(content.count)))
    bytes += content
  }

  mutating func directory(_ path: String) { entry("D", path, 0o755, []) }

  mutating func link(_ path: String, to target: String) {
    entry("L", path, 0o777, Array("LNKP".utf8) + Self.little(UInt16(target.utf8.count)) + Array(target.utf8))
  }

  private mutating func entry(_ type: Character, _ path: String, _ mode: UInt16, _ more: [UInt8]) {
    var fields = Array("TYP1\(type)PATP".utf8) + Self.little(UInt16(path.utf8.count)) + Array(path.utf8)
    fields += Array("MOD2".utf8) + Self.little(mode) + more
    bytes += Array("AA01".utf8) + Self.little(UInt16(fields.count + 6)) + fields
  }

  private static func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }
}

/// The sample archives, which are not part of the project. Tests that need them are skipped where they are absent.
enum Samples {
  static let root: URL = {
    if let path = ProcessInfo.processInfo.environment["PACKHOUSE_SAMPLES"] { return URL(fileURLWithPath: path) }
    return URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("../shared/samples").standardized
  }()

  static func has(_ folder: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appendingPathComponent(folder).path)
  }

  static func index(_ folder: String) throws -> [[String: Any]] {
    let data = try Data(contentsOf: root.appendingPathComponent("\(folder)/index.json"))
    return try JSONSerialization.jsonObject(with: data) as? [[String: Any]] ?? []
  }
}
