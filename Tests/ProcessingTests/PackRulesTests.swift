import AppleArchive
import AssetPacks
import Foundation
import PackStore
import Packing
import Testing

@testable import Processing

@Suite struct PackRulesTests {
  /// A 64-bit Mach-O header of the file type MH_EXECUTE.
  private static let program: [UInt8] = [
    0xcf, 0xfa, 0xed, 0xfe, 7, 0, 0, 1, 3, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
  ]

  private func manifest(id: String = "level", platforms: String = #"["iOS"]"#, more: String = "") -> [UInt8] {
    Array(
      """
      {"assetPackID":"\(id)","downloadPolicy":{"onDemand":{}},"fileSelectors":[{"directory":"a"}],
       "platforms":\(platforms)\(more)}
      """.utf8)
  }

  /// Judges an archive of `files` as a version of the pack `level`.
  private func judge(_ files: [(path: String, bytes: [UInt8])]) throws -> Verdict {
    let path = NSTemporaryDirectory() + "packhouse-rules-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: path) }
    var output: [UInt8] = []
    var writer = ArchiveWriter<Never>(codec: .stored) { output += $0 }
    for file in files {
      try writer.beginFile(file.path, size: Int64(file.bytes.count), modified: ArchiveTime(seconds: 0))
      try file.bytes.withUnsafeBytes { try writer.fileBytes($0) }
      try writer.endFile()
    }
    try writer.finish()
    try Data(output).write(to: URL(fileURLWithPath: path))
    let file = try ArchiveFile(path)
    return PackRules(pack: "level").judge(try PackReport(file), sha256: "00", size: file.length)
  }

  private func codes(_ verdict: Verdict) -> [String] {
    switch verdict {
    case .passed(let facts): facts.messages.map { "\($0.level) \($0.code)" + ($0.level == .error ? ", passed" : "") }
    case .failed(let messages): messages.map { "\($0.level) \($0.code)" + ($0.level == .error ? "" : ", failed") }
    case .stopped: ["stopped"]
    }
  }

  @Test func whatThePackerWritesPasses() throws {
    let verdict = try judge([("Contents/a/x", [1, 2, 3]), ("Manifest.json", manifest())])
    guard case .passed(let facts) = verdict else {
      Issue.record("\(codes(verdict))")
      return
    }
    #expect(facts.installSize == 3)
    #expect(facts.platforms == [.iOS])
    #expect(facts.policy == .onDemand)
    #expect(facts.messages.isEmpty)
  }

  @Test func aProgramIsRefusedWhereMacOSWouldRunIt() throws {
    for (platforms, expected) in [
      (#"["iOS"]"#, ["warning EXECUTABLE_IN_PACK"]), (#"["iOS","macOS"]"#, ["error EXECUTABLE_NOT_ALLOWED"]),
      ("[]", ["error EXECUTABLE_NOT_ALLOWED"]),
    ] {
      let verdict = try judge([("Contents/a/tool", Self.program), ("Manifest.json", manifest(platforms: platforms))])
      #expect(codes(verdict) == expected, "\(platforms)")
    }
  }

  @Test func anotherPacksArchiveIsRefused() throws {
    let verdict = try judge([("Contents/a/x", [1]), ("Manifest.json", manifest(id: "other"))])
    #expect(codes(verdict) == ["error PACK_ID_MISMATCH"])
    guard case .failed(let messages) = verdict else { return }
    #expect(messages[0].description.contains("\"other\"") && messages[0].description.contains("\"level\""))
  }

  @Test func anArchiveWithoutAManifestIsRefused() throws {
    #expect(codes(try judge([("Contents/a/x", [1])])) == ["error MANIFEST_MISSING"])
  }

  @Test func everyFaultOfTheManifestIsTold() throws {
    let faulty = Array(#"{"assetPackID":"level","downloadPolicy":{},"fileSelectors":[],"platforms":["iPadOS"]}"#.utf8)
    let found = codes(try judge([("Contents/a/x", [1]), ("Manifest.json", faulty)]))
    #expect(found.count >= 3 && found.allSatisfy { $0 == "error MANIFEST_INVALID" })
  }

  @Test func aManifestOfAnotherNameIsTakenWithAWarning() throws {
    #expect(
      codes(try judge([("Contents/a/x", [1]), ("pack.json", manifest())])) == ["warning ARCHIVE_MANIFEST_ELSEWHERE"])
  }

  @Test func twoManifestsAreOneTooMany() throws {
    let verdict = try judge([("a.json", manifest()), ("b.json", manifest())])
    #expect(codes(verdict) == ["error MANIFEST_AMBIGUOUS"])
  }

  @Test func filesThatNoAppCanReachAreNamed() throws {
    let verdict = try judge([("Contents/a/x", [1]), ("Other/y", [2]), ("Manifest.json", manifest())])
    #expect(codes(verdict) == ["warning FILES_OUTSIDE_CONTENTS"])
  }
}
