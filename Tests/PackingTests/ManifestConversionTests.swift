import AssetPacks
import Foundation
import Testing

@testable import Packing

@Suite struct ManifestConversionTests {
  private let folder: PackFolder

  init() throws {
    folder = try PackFolder()
    try folder.write("game/data/a.txt", "1")
    try folder.write("game/data/sub/b.txt", "22")
    try folder.write("game/data/sub/b.pdb", "symbols")
    try folder.write("game/Readme.txt", "readme")
  }

  private func conversion(_ output: String) throws -> ManifestConversion {
    var conversion = ManifestConversion(try AssetPackID("game"))
    conversion.output = folder[output]
    return conversion
  }

  private func script(_ text: String) throws -> String {
    try folder.write("scripts/depot.vdf", "\"DepotBuildConfig\" {\n\(text)\n}\n")
    return folder["scripts/depot.vdf"]
  }

  @Test func aFolderBecomesAManifestThatPacksIt() throws {
    let result = try conversion("Manifest.json").convert(folder: folder["game"])
    #expect(result.manifest.sourceRoot == "game")
    try folder.write("Manifest.json", result.bytes)
    try folder.pack()
    let paths = try PackReport.read(folder["x.aar"]).inspection.entries.compactMap(\.devicePath)
    #expect(paths == ["Readme.txt", "data/a.txt", "data/sub/b.pdb", "data/sub/b.txt"])
  }

  @Test func theManifestDoesNotPackItself() throws {
    let result = try conversion("game/Manifest.json").convert(folder: folder["game"])
    #expect(result.manifest.sourceRoot == ".")
    #expect(result.manifest.fileSelectors.last == .fileExclusion("Manifest.json"))
    let deeper = try conversion("game/data/Manifest.json").convert(folder: folder["game"])
    #expect(deeper.manifest.sourceRoot == "..")
    #expect(deeper.manifest.fileSelectors.last == .fileExclusion("data/Manifest.json"))
  }

  @Test func aDepotScriptBecomesSelectors() throws {
    let path = try script(
      #"""
      "ContentRoot" "..\game\"
      "FileMapping" { "LocalPath" "data\*" "DepotPath" "." "recursive" "1" }
      "FileMapping" { "LocalPath" "Readme.txt" "DepotPath" "docs\" }
      "FileExclusion" "data\sub\b.pdb"
      """#)
    let result = try conversion("Manifest.json").convert(depotScript: path)
    #expect(result.manifest.sourceRoot == "game")
    #expect(result.contents.files.map(\.devicePath) == ["a.txt", "docs/Readme.txt", "sub/b.txt"])
  }

  @Test func wildcardsAreWrittenDownWhenAsked() throws {
    let path = try script(
      #"""
      "ContentRoot" "../game"
      "FileMapping" { "LocalPath" "*" "DepotPath" "." "recursive" "1" }
      "FileExclusion" "*.pdb"
      """#)
    var conversion = try conversion("Manifest.json")
    let sentence = PackFolder.sentence { _ = try conversion.convert(depotScript: path) }
    #expect(sentence.hasPrefix("\(path): line 4: the wildcard \"*.pdb\" cannot be expressed"), "\(sentence)")
    conversion.expandsWildcards = true
    let result = try conversion.convert(depotScript: path)
    #expect(result.manifest.fileSelectors.last == .fileExclusion("data/sub/b.pdb"))
    #expect(result.contents.files.map(\.devicePath) == ["Readme.txt", "data/a.txt", "data/sub/b.txt"])
  }

  @Test func theContentRootCanBeNamed() throws {
    let path = try script(
      #"""
      "ContentRoot" "D:\game\"
      "FileMapping" { "LocalPath" "*" "DepotPath" "." "recursive" "1" }
      """#)
    var conversion = try conversion("Manifest.json")
    #expect(
      PackFolder.sentence { _ = try conversion.convert(depotScript: path) }
        == "\(path): line 2: the folder D:/game/ with the files is not there; name it with --content-root.")
    conversion.contentRoot = folder["game"]
    #expect(try conversion.convert(depotScript: path).contents.files.count == 4)
    conversion.contentRoot = folder["nowhere"]
    #expect(
      PackFolder.sentence { _ = try conversion.convert(depotScript: path) }
        == "The folder \(folder["nowhere"]) with the files is not there.")
  }

  @Test func whatMatchesNothingIsSaidBeforeAnythingIsWritten() throws {
    try FileManager.default.createDirectory(atPath: folder["empty"], withIntermediateDirectories: false)
    let sentence = PackFolder.sentence { _ = try conversion("Manifest.json").convert(folder: folder["empty"]) }
    #expect(sentence.contains("matches nothing below"), "\(sentence)")
    #expect(!folder.exists("Manifest.json"))
    #expect(
      PackFolder.sentence { _ = try conversion("Manifest.json").convert(folder: folder["nowhere"]) }
        .contains("is not there"))
  }

  @Test(arguments: [
    ("/a/b", "/a/b", "."), ("/a", "/a/b/c", "b/c"), ("/a/b", "/a/c", "../c"), ("/", "/x", "x"), ("/x/y", "/", "../.."),
    ("/ab", "/a", "../a"),
  ])
  func relativePathsLeadFromOneToTheOther(_ base: String, _ target: String, _ expected: String) {
    #expect(relativePath(from: base, to: target) == expected)
  }
}
