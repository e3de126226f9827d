import Foundation
import JSONText
import Testing

@testable import Packing

@Suite struct PackComparisonTests {
  private let folder: PackFolder

  init() throws {
    folder = try PackFolder()
    try folder.write("a/same", "same")
    try folder.write("a/changed", "before")
    try folder.write("a/removed", "gone")
    try folder.write("a/mode", "tool")
    try folder.manifest()
    try folder.pack("Manifest.json", "old.aar")
  }

  private func compare() throws -> PackComparison {
    try folder.pack("Manifest.json", "new.aar")
    return try PackComparison(folder["old.aar"], folder["new.aar"])
  }

  @Test func theSameFilesAreEqual() throws {
    let comparison = try compare()
    #expect(comparison.isEqual && comparison.hasSameBytes && comparison.unchangedFiles == 4)
    #expect(comparison.text.hasSuffix("The archives are the same byte for byte.\n"))
  }

  @Test func otherBytesOfTheSameContentAreCalledOut() throws {
    var builder = PackBuilder(toolsVersion: "test")
    builder.codec = .stored
    _ = try builder.build(folder["Manifest.json"], output: folder["new.aar"], overwrites: false)
    let comparison = try PackComparison(folder["old.aar"], folder["new.aar"])
    #expect(comparison.isEqual && !comparison.hasSameBytes)
    #expect(comparison.text.contains("every device would download \(comparison.downloadSize) bytes for nothing."))
  }

  @Test func everyKindOfChangeIsFound() throws {
    try folder.write("a/changed", "afterwards")
    try folder.write("a/added", "new")
    try FileManager.default.removeItem(atPath: folder["a/removed"])
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder["a/mode"])
    try folder.manifest(platforms: #"["iOS"]"#, more: #","language":"de","userInfo":{"n":1}"#)
    let comparison = try compare()
    #expect(!comparison.isEqual)
    #expect(comparison.added.map(\.path.text) == ["Contents/a/added"])
    #expect(comparison.removed.map(\.path.text) == ["Contents/a/removed"])
    #expect(comparison.changed.map(\.path.text) == ["Contents/a/changed", "Contents/a/mode"])
    #expect(comparison.changed.map(\.isModeOnly) == [false, true])
    #expect(comparison.unchangedFiles == 1)
    #expect(comparison.changedBytes == 13)
    #expect(comparison.manifest.map(\.key) == ["platforms", "language", "userInfo"])
    let size = try FileManager.default.attributesOfItem(atPath: folder["new.aar"])[.size] as? Int
    #expect(Int(comparison.downloadSize) == size)
    #expect(
      comparison.text == """
        ~ Manifest.json  platforms: ["iOS","macOS","tvOS","visionOS"] -> ["iOS"]
        ~ Manifest.json  language: none -> "de"
        ~ Manifest.json  userInfo: none -> {"n":1}
        + Contents/a/added  3 bytes
        - Contents/a/removed  4 bytes
        ~ Contents/a/changed  6 -> 10 bytes
        ~ Contents/a/mode  executable or not

        1 added, 1 removed, 2 changed, 1 unchanged
        An update downloads \(comparison.downloadSize) bytes; 13 bytes of content are new or other than before.

        """)
    #expect(comparison.json["equal"] == false && comparison.json["changedSize"]?.int == 13)
  }

  @Test func whatCannotBeReadIsNamed() throws {
    try folder.write("new.aar", "no archive at all")
    let sentence = PackFolder.sentence { _ = try PackComparison(folder["old.aar"], folder["new.aar"]) }
    #expect(sentence.hasPrefix("\(folder["new.aar"]): "))
    #expect(
      PackFolder.sentence { _ = try PackComparison(folder["no.aar"], folder["old.aar"]) }
        .hasPrefix("open failed for \(folder["no.aar"]): No such file"))
    var archive = RawArchive()
    archive.file("Contents/a", [1])
    try folder.write("bare.aar", archive.bytes)
    #expect(
      PackFolder.sentence { _ = try PackComparison(folder["old.aar"], folder["bare.aar"]) }
        .hasSuffix("has no packaging manifest inside; make it with packhouse pack package."))
  }
}
