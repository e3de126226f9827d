import Digests
import Foundation
import Synchronization
import Testing

@testable import Packing

@Suite struct PackBuilderTests {
  private let folder: PackFolder

  init() throws {
    folder = try PackFolder()
    try folder.write("a/one.txt", "one")
    try folder.write("a/two.txt", "two")
  }

  private func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: folder[name])) }

  @Test func theSameFilesGiveTheSameBytes() throws {
    try folder.manifest()
    try folder.pack("Manifest.json", "1.aar")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 5)], ofItemAtPath: folder["a/one.txt"])
    try folder.pack("Manifest.json", "2.aar")
    #expect(try bytes("1.aar") == bytes("2.aar"))
  }

  @Test func theHashOfTheContentIsWrittenDown() throws {
    try folder.manifest(more: #","userInfo":{"x":1}"#)
    try folder.pack(hash: true)
    let report = try PackReport.read(folder["x.aar"])
    let lines = ["one", "two"].map { "\(Digest.sha256Text(Array($0.utf8)))  a/\($0).txt\n" }.joined()
    let expected = Digest.sha256Text(Array(lines.utf8))
    let userInfo = try #require(report.packagingManifest?.userInfo)
    #expect(userInfo["contentSHA256"]?.string == expected)
    #expect(userInfo["x"]?.int == 1)
    #expect(report.contentSHA256 == expected)
    #expect(PackPolicy().judge(report).isEmpty)
  }

  @Test func aHashOfThePacksOwnIsNotReplaced() throws {
    try folder.manifest(more: #","userInfo":{"contentSHA256":"mine"}"#)
    let sentence = PackFolder.sentence { try folder.pack(hash: true) }
    #expect(
      sentence == "\(folder["Manifest.json"]): userInfo has the key \"contentSHA256\" already, which --sha256 would "
        + "write; take it out of the manifest or leave the option away.")
  }

  /// Packs, and runs `change` when the first file has been packed.
  private func pack(hash: Bool, change: @escaping @Sendable () -> Void) throws {
    var builder = PackBuilder(toolsVersion: "test")
    builder.recordsContentHash = hash
    builder.progress = { done, _ in if done == 3 { change() } }
    _ = try builder.build(folder["Manifest.json"], output: folder["x.aar"], overwrites: false)
  }

  @Test func nothingIsPackedForAnArchiveThatIsThere() throws {
    try folder.manifest()
    let packed = Mutex(0)
    try pack(hash: false) { packed.withLock { $0 += 1 } }
    #expect(packed.withLock { $0 } == 1)
    let before = try bytes("x.aar")
    let sentence = PackFolder.sentence { try pack(hash: false) { packed.withLock { $0 += 1 } } }
    #expect(sentence.contains(folder["x.aar"]))
    #expect(packed.withLock { $0 } == 1)
    #expect(try bytes("x.aar") == before)
  }

  @Test(arguments: ["longer than before", "s"]) func aFileThatChangesItsLengthIsNoticed(_ text: String) throws {
    try folder.manifest()
    let path = folder["a/two.txt"]
    let sentence = PackFolder.sentence {
      try pack(hash: false) { try? Data(text.utf8).write(to: URL(fileURLWithPath: path)) }
    }
    #expect(
      sentence
        == #"\#(folder["Manifest.json"]): line 4: the selector {"directory":"a"} takes \#(path), which changed while "#
        + "it was packed: it had 3 bytes, then \(text.utf8.count); pack again when nothing writes to it.")
    #expect(try folder.tree() == ["Manifest.json", "a", "a/one.txt", "a/two.txt"])
  }

  @Test(arguments: [true, false]) func aFileThatChangesAndKeepsItsLengthIsNoticed(_ hash: Bool) throws {
    try folder.manifest()
    let path = folder["a/two.txt"]
    // The file system's clock may not have ticked since the file was written.
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 5)], ofItemAtPath: path)
    let sentence = PackFolder.sentence {
      try pack(hash: hash) { try? Data("TWO".utf8).write(to: URL(fileURLWithPath: path)) }
    }
    #expect(
      sentence
        == #"\#(folder["Manifest.json"]): line 4: the selector {"directory":"a"} takes \#(path), which changed while "#
        + "it was packed, keeping its length; pack again when nothing writes to it.")
    #expect(!folder.exists("x.aar"))
  }

  @Test func anArchiveIsNotReplacedUnasked() throws {
    try folder.manifest()
    try folder.write("x.aar", "mine")
    let sentence = PackFolder.sentence { try pack(hash: false) {} }
    #expect(sentence == "\(folder["x.aar"]) already exists; choose another name, or pass --force to replace it.")
    #expect(try folder.text("x.aar") == "mine")
  }

  // Root reads everything, so the test says something for other users only.
  @Test(.enabled(if: geteuid() != 0)) func aFileThatCannotBeReadIsNamed() throws {
    try folder.manifest()
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: folder["a/two.txt"])
    #expect(
      PackFolder.sentence { try folder.pack() }.hasSuffix(
        #"line 4: the selector {"directory":"a"} takes \#(folder["a/two.txt"]), which cannot be read: open says "#
          + "Permission denied. Check its owner and mode."))
  }
}
