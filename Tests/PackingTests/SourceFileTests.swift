import Foundation
import Glibc
import Testing

@testable import Packing

/// Files and places that a pack's author did not think of.
@Suite struct SourceFileTests {
  private let folder: PackFolder

  init() throws { folder = try PackFolder() }

  private func contents(_ selectors: String) throws -> [String] {
    try PackEvaluation(try folder.manifest(selectors: selectors)).contents.files.map(\.devicePath)
  }

  private func sentence(_ selectors: String = #"[{"directory":"a"}]"#) -> String {
    let sentence = PackFolder.sentence { _ = try contents(selectors) }
    return sentence.replacingOccurrences(of: folder.path + "/", with: "")
  }

  @Test func namesInDifferentUnicodeFormsAreDifferentFilesWhichAPackCannotHoldBoth() throws {
    try folder.write("a/e\u{301}", "1")
    try folder.write("a/\u{e9}", "22")
    let sentence = sentence()
    #expect(sentence.contains("Manifest.json: line 4: the selector {\"directory\":\"a\"} gives a file the path"))
    #expect(sentence.hasSuffix("on a volume that ignores case, as Apple's do."), "\(sentence)")
    #expect(
      try contents(#"[{"directory":"a"},{"fileExclusion":"a/\#u{e9}"}]"#).map { Array($0.utf8) }
        == [Array("a/e\u{301}".utf8)])
  }

  @Test func aNameThatBeginsWithACombiningMarkIsKept() throws {
    try folder.write("a/\u{301}x", "1")
    try folder.write("a/y", "2")
    #expect(
      try contents(#"[{"directory":"a"}]"#).map { Array($0.utf8) } == ["a/y", "a/\u{301}x"].map { Array($0.utf8) })
    #expect(
      try contents(#"[{"directorySource":"a","directoryDestination":"q"},{"fileExclusion":"a/y"}]"#)
        .map { Array($0.utf8) } == [Array("q/\u{301}x".utf8)])
    #expect(try contents(#"[{"directory":"a"},{"fileExclusion":"a"}]"#).isEmpty)
    try folder.manifest()
    var extraction = PackExtraction()
    extraction.contentsOnly = true
    _ = try extraction.extract(ArchiveFile(try folder.pack()), into: folder["out"])
    #expect(try folder.text("out/a/\u{301}x") == "1")
  }

  @Test(arguments: ["../\u{301}x", "/\u{301}x", "a/../\u{301}x"])
  func aCombiningMarkHidesNoWayOutOfTheRoot(_ path: String) throws {
    for selector in [#"{"fileSource":"\#(path)","fileDestination":"x"}"#, #"{"filePattern":"\#(path)"}"#] {
      let sentence = sentence("[\(selector)]")
      #expect(sentence.hasPrefix("Manifest.json: line 4, column"), "\(sentence)")
    }
  }

  @Test func aNameThatIsNoTextIsSaidToBe() throws {
    try folder.write("a/x", "1")
    let created = open("\(folder.path)/a/".utf8CString.dropLast().map { $0 } + [-1, 0], O_CREAT | O_WRONLY, 0o644)
    try #require(created >= 0)
    close(created)
    #expect(
      sentence() == "Manifest.json: line 4: the selector {\"directory\":\"a\"} takes a/\u{fffd}, which has a name that "
        + "is not UTF-8 text, as paths of packs must be; rename it.")
  }

  @Test func controlCharactersDoNotReachTheTerminal() throws {
    try folder.write("a/x", "1")
    mkfifo(folder["a/new\nline\u{1b}[31m"], 0o644)
    #expect(sentence().contains(" takes a/new\\u{a}line\\u{1b}[31m, which is a symbolic link or a special file"))
  }

  @Test(arguments: [
    (#"[{"file":"a/x"},{"fileSource":"a/y","fileDestination":"A/X"}]"#, "it is the same as A on a volume"),
    (#"[{"file":"a/x"},{"fileSource":"a/y","fileDestination":"a/x/y"}]"#, "Contents/a/x, an earlier file, is used as"),
  ])
  func pathsThatOneArchiveCannotHoldAreFoundBeforePacking(_ selectors: String, _ expected: String) throws {
    try folder.write("a/x", "1")
    try folder.write("a/y", "2")
    let sentence = sentence(selectors)
    #expect(sentence.hasPrefix("Manifest.json: line 4: the selector {\"file"), "\(sentence)")
    #expect(sentence.contains(expected), "\(sentence)")
  }

  @Test func aPathThatIsTooDeepNamesItsSelector() throws {
    try folder.write("a/" + String(repeating: "d/", count: 64) + "f", "1")
    #expect(sentence().hasSuffix("which cannot stand in the pack: it has 67 components, more than 64."))
  }

  @Test func theArchiveDoesNotPackItself() throws {
    try folder.write("a/one", "1")
    try folder.manifest()
    try folder.pack("Manifest.json", "a/x.aar")
    let before = try Data(contentsOf: URL(fileURLWithPath: folder["a/x.aar"]))
    let sentence = PackFolder.sentence { try folder.pack("Manifest.json", "a/x.aar") }
    #expect(sentence.hasSuffix("put that outside of what the pack takes, or add a fileExclusion."), "\(sentence)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder["a/x.aar"])) == before)
  }

  @Test func onlyAPlainFileIsReplaced() throws {
    try folder.write("a/one", "1")
    try folder.manifest()
    mkfifo(folder["pipe"], 0o644)
    try FileManager.default.createSymbolicLink(atPath: folder["link"], withDestinationPath: "/dev/null")
    for name in ["pipe", "link", "a"] {
      #expect(
        PackFolder.sentence { try folder.pack("Manifest.json", name) }
          == "\(folder[name]) already exists and is not a regular file, so it is not replaced; choose another name.")
    }
    #expect(try folder.tree() == ["Manifest.json", "a", "a/one", "link", "pipe"])
  }

  @Test func programsAreRefusedForTheMacAndPointedOutForOthers() throws {
    try folder.write(
      "a/program", [0xcf, 0xfa, 0xed, 0xfe, 7, 0, 0, 1, 3, 0, 0, 0, 2, 0, 0, 0] + [UInt8](repeating: 0, count: 99))
    try folder.write("a/library", [0xcf, 0xfa, 0xed, 0xfe, 7, 0, 0, 1, 3, 0, 0, 0, 6, 0, 0, 0])
    try folder.manifest(platforms: #"["iOS","macOS"]"#)
    let expected =
      "\(folder["Manifest.json"]): line 4: the selector {\"directory\":\"a\"} takes \(folder["a/program"]), a "
      + "Mach-O executable, which a pack for macOS may not hold; take it out, or name the platforms without macOS."
    #expect(PackFolder.sentence { try folder.pack() } == expected)
    let findings = try PackEvaluation(folder["Manifest.json"]).findings(profile: .selfHosted)
    #expect(findings == [PackFinding(.error, "EXECUTABLE_NOT_ALLOWED", expected)])
    try folder.manifest(platforms: #"["iOS"]"#)
    try folder.pack()
    #expect(
      try PackEvaluation(folder["Manifest.json"]).findings(profile: .selfHosted).map(\.code) == ["EXECUTABLE_IN_PACK"])
  }

  @Test func nothingHasANameBeforeItIsWhole() throws {
    try folder.write("a/one", "1")
    try folder.manifest()
    let names = PackFolder.names(folder.path)
    var builder = PackBuilder(toolsVersion: "test")
    let path = folder.path
    builder.progress = { _, _ in #expect(PackFolder.names(path) == names) }
    _ = try builder.build(folder["Manifest.json"], output: folder["x.aar"], overwrites: true)
    #expect(PackFolder.names(path) == ["Manifest.json", "a", "x.aar"])
  }

  @Test func aPipeIsNoArchiveAndIsNotWaitedFor() throws {
    mkfifo(folder["pipe"], 0o644)
    #expect(PackFolder.sentence { _ = try PackReport.read(folder["pipe"]) }.contains(folder["pipe"]))
  }

  @Test func anArchiveComesThroughAPipe() throws {
    try folder.write("a/one", "1")
    try folder.manifest()
    let archive = try Data(contentsOf: URL(fileURLWithPath: try folder.pack()))
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: archive)
    try pipe.fileHandleForWriting.close()
    let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
    #expect(try PackReport(ArchiveFile.open(named: path, limit: 1 << 20)).packagingManifest != nil)
  }

  @Test func aListShowsPathsWhole() throws {
    let path = "a/" + String(repeating: String(repeating: "x", count: 200) + "/", count: 3) + "y"
    try folder.write(path, "1")
    try folder.manifest()
    let listing = try EntryListing(ArchiveFile(try folder.pack()))
    #expect(listing.text.contains("Contents/\(path)\n"))
    #expect(try PackReport.read(folder["x.aar"]).text.contains("Contents/\(path)\n"))
  }

  @Test func whatIsStoppedLeavesNothing() throws {
    try folder.write("a/one", [UInt8](repeating: 1, count: 3 << 20))
    try folder.manifest()
    let archive = try ArchiveFile(try folder.pack())
    let before = try folder.tree()
    var extraction = PackExtraction()
    let path = folder.path
    extraction.limits.isExpired = { PackFolder.names(path).contains { $0.hasSuffix(".writing") } }
    #expect(PackFolder.sentence { _ = try extraction.extract(archive, into: folder["out"]) } != "")
    #expect(try folder.tree() == before)
  }

  @Test func whatAKillLeftIsRemovedByTheNextExtraction() throws {
    try folder.write("a/one", "1")
    try folder.manifest()
    let archive = try ArchiveFile(try folder.pack())
    let old = Date(timeIntervalSinceNow: -60)
    for name in ["out.0123456789abcdef.writing", "out.fedcba9876543210.writing", "out.0123.writing", "out.other"] {
      try folder.write("\(name)/a/half", "1")
      try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: folder[name])
    }
    // Somebody is at work in this one.
    let held = open(folder["out.fedcba9876543210.writing"], O_RDONLY | O_DIRECTORY)
    defer { close(held) }
    try #require(flock(held, LOCK_EX | LOCK_NB) == 0)
    _ = try PackExtraction().extract(archive, into: folder["out"])
    #expect(
      PackFolder.names(folder.path)
        == ["Manifest.json", "a", "out", "out.0123.writing", "out.fedcba9876543210.writing", "out.other", "x.aar"])
  }
}
