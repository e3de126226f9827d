import Foundation
import Testing

@testable import Packing

/// A temporary folder with files of a test.
final class PackFolder {
  let path: String

  init() throws {
    let path = NSTemporaryDirectory() + "packhouse-packing-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    self.path = path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  subscript(_ name: String) -> String { "\(path)/\(name)" }

  func write(_ name: String, _ text: String) throws { try write(name, Array(text.utf8)) }

  func write(_ name: String, _ bytes: [UInt8]) throws {
    let url = URL(fileURLWithPath: self[name])
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  func text(_ name: String) throws -> String { try String(contentsOfFile: self[name], encoding: .utf8) }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: self[name]) }

  /// Every path below `name`, sorted.
  func tree(_ name: String = "") throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: name.isEmpty ? path : self[name]).sorted()
  }

  /// Writes a packaging manifest; the root of its selectors is the folder.
  @discardableResult
  func manifest(
    _ name: String = "Manifest.json", id: String = "level", selectors: String = #"[{"directory":"a"}]"#,
    platforms: String = "[]", more: String = ""
  ) throws -> String {
    try write(
      name,
      """
      {
        "assetPackID": "\(id)",
        "downloadPolicy": {"onDemand": {}},
        "fileSelectors": \(selectors),
        "platforms": \(platforms),
        "sourceRoot": "."\(more)
      }
      """)
    return self[name]
  }

  /// Packs the manifest into an archive and returns its path.
  @discardableResult
  func pack(_ manifest: String = "Manifest.json", _ output: String = "x.aar", hash: Bool = false) throws -> String {
    var builder = PackBuilder(toolsVersion: "test")
    builder.recordsContentHash = hash
    _ = try builder.build(self[manifest], output: self[output], overwrites: true)
    return self[output]
  }

  /// The names in a folder, sorted.
  static func names(_ path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  /// The sentence of the failure of `body`.
  static func sentence(_ body: () throws -> Void) -> String {
    do {
      try body()
    } catch let error as PackingFailure {
      return error.sentence
    } catch {
      return "\(error)"
    }
    Issue.record("nothing was thrown")
    return ""
  }
}
