import Foundation

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

  static func bytes(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: root.appendingPathComponent(path)))
  }

  static func text(_ path: String) throws -> String {
    String(decoding: try bytes(path), as: UTF8.self)
  }

  /// The records of a folder's `index.json`.
  static func index(_ folder: String) throws -> [[String: Any]] {
    let data = Data(try bytes("\(folder)/index.json"))
    return try JSONSerialization.jsonObject(with: data) as? [[String: Any]] ?? []
  }
}
