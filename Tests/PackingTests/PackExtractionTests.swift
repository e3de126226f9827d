import Foundation
import Testing

@testable import Packing

@Suite struct PackExtractionTests {
  private let folder: PackFolder

  init() throws { folder = try PackFolder() }

  private func extract(
    _ archive: String, into output: String = "out", contents: Bool = false, links: Bool = false, limit: Int64? = nil
  ) throws -> PackExtraction.Result {
    var extraction = PackExtraction()
    extraction.contentsOnly = contents
    extraction.allowsLinks = links
    if let limit { extraction.limits.decodedBytes = limit }
    return try extraction.extract(try ArchiveFile(folder[archive]), into: folder[output])
  }

  private func raw(_ build: (inout RawArchive) -> Void) throws {
    var archive = RawArchive()
    build(&archive)
    try folder.write("x.aar", archive.bytes)
  }

  private func mode(_ name: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: folder[name])
    return try #require(attributes[.posixPermissions] as? Int)
  }

  @Test func whatWasPackedComesOut() throws {
    try folder.write("a/one.txt", "one")
    try folder.write("a/deep/er/two.bin", [UInt8](repeating: 7, count: 3_000_000))
    try folder.write("a/empty", "")
    try folder.write("a/tool", "#!/bin/sh\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o750], ofItemAtPath: folder["a/tool"])
    try folder.manifest()
    try folder.pack()
    let result = try extract("x.aar")
    #expect(result.files == 5)
    #expect(
      try folder.tree("out") == [
        "Contents", "Contents/a", "Contents/a/deep", "Contents/a/deep/er", "Contents/a/deep/er/two.bin",
        "Contents/a/empty", "Contents/a/one.txt", "Contents/a/tool", "Manifest.json",
      ])
    #expect(FileManager.default.contentsEqual(atPath: folder["a"], andPath: folder["out/Contents/a"]))
    #expect(try mode("out/Contents/a/tool") & 0o100 != 0)
    #expect(try mode("out/Contents/a/one.txt") & 0o111 == 0)
    let attributes = try FileManager.default.attributesOfItem(atPath: folder["out/Contents/a/one.txt"])
    #expect((attributes[.modificationDate] as? Date)?.timeIntervalSince1970 == 946_684_800)
  }

  @Test func theContentComesOutAsAppsSeeIt() throws {
    try folder.write("a/one.txt", "one")
    try folder.manifest()
    try folder.pack()
    #expect(try extract("x.aar", contents: true) == PackExtraction.Result(files: 1, links: 0, bytes: 3))
    #expect(try folder.tree("out") == ["a", "a/one.txt"])
    try raw { $0.file("Manifest.json", [1]) }
    let sentence = PackFolder.sentence { _ = try extract("x.aar", into: "other", contents: true) }
    #expect(sentence == "\(folder["x.aar"]) has no file below Contents/; extract it without --contents.")
    #expect(!folder.exists("other"))
  }

  @Test func onlyANewOrEmptyFolderIsTaken() throws {
    try raw { $0.file("a", [1]) }
    try FileManager.default.createDirectory(atPath: folder["out"], withIntermediateDirectories: false)
    #expect(try extract("x.aar").files == 1)
    let sentence = PackFolder.sentence { _ = try extract("x.aar") }
    #expect(
      sentence == "\(folder["out"]) already exists and is not an empty folder; name a folder that does not exist yet.")
    try folder.write("file", "kept")
    #expect(PackFolder.sentence { _ = try extract("x.aar", into: "file") }.contains("already exists"))
    #expect(try folder.text("file") == "kept")
    try FileManager.default.createSymbolicLink(atPath: folder["dangling"], withDestinationPath: folder["nowhere"])
    #expect(PackFolder.sentence { _ = try extract("x.aar", into: "dangling") }.contains("already exists"))
    #expect(PackFolder.sentence { _ = try extract("x.aar", into: "no/such/folder") }.hasPrefix("mkdir failed for "))
    #expect(try folder.tree() == ["dangling", "file", "out", "out/a", "x.aar"])
  }

  @Test func aFailureLeavesNothingBehind() throws {
    try raw { archive in
      archive.file("deep/er/a", [1, 2, 3])
      archive.file("../evil", [4])
    }
    let sentence = PackFolder.sentence { _ = try extract("x.aar") }
    #expect(sentence.hasPrefix("\(folder["x.aar"]): The path ../evil is refused:"), "\(sentence)")
    #expect(try folder.tree() == ["x.aar"])
    try raw { $0.file("a", [UInt8](repeating: 0, count: 5000)) }
    #expect(PackFolder.sentence { _ = try extract("x.aar", limit: 1000) }.contains("more than 1000 bytes, the limit"))
    #expect(try folder.tree() == ["x.aar"])
  }

  @Test func specialPermissionsAreNotGiven() throws {
    try raw { $0.file("tool", [1], mode: 0o6755) }
    _ = try extract("x.aar")
    #expect(try mode("out/tool") & 0o7022 == 0)
    #expect(try mode("out/tool") & 0o100 != 0)
  }

  @Test func linksAreRefusedUnlessTheyAreWanted() throws {
    try raw { archive in
      archive.file("Contents/a/real", [1])
      archive.link("Contents/a/link", to: "real")
    }
    let sentence = PackFolder.sentence { _ = try extract("x.aar") }
    #expect(
      sentence == "\(folder["x.aar"]): the symbolic link Contents/a/link to real is not extracted: a pack holds files "
        + "and folders only; --links makes it.")
    #expect(!folder.exists("out"))
    #expect(try extract("x.aar", links: true).links == 1)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: folder["out/Contents/a/link"]) == "real")
  }

  @Test func aLinkThatLeavesTheFolderIsNeverMade() throws {
    try raw { $0.link("Contents/a/link", to: "../../../outside") }
    #expect(PackFolder.sentence { _ = try extract("x.aar", links: true) }.contains("lies outside the pack"))
    // Inside the archive, but not when Contents/ is left away.
    try raw { archive in
      archive.file("Contents/b", [1])
      archive.link("Contents/a/link", to: "../../Manifest.json")
    }
    #expect(
      PackFolder.sentence { _ = try extract("x.aar", contents: true, links: true) }
        .hasSuffix("it leads out of the folder when Contents/ is left away."))
    #expect(try folder.tree() == ["x.aar"])
    #expect(try extract("x.aar", links: true).links == 1)
  }

  @Test func nothingIsWrittenThroughALink() throws {
    try raw { archive in
      archive.directory("real")
      archive.link("way", to: "real")
      archive.file("way/file", [1])
    }
    let sentence = PackFolder.sentence { _ = try extract("x.aar", links: true) }
    #expect(sentence.contains("way, a symbolic link, is used as a folder"), "\(sentence)")
    #expect(try folder.tree() == ["x.aar"])
  }

  @Test(.enabled(if: Samples.has("hostile"))) func hostileArchivesWriteNothingOutside() throws {
    try FileManager.default.createDirectory(atPath: folder["jail"], withIntermediateDirectories: false)
    var extraction = PackExtraction()
    extraction.allowsLinks = true
    // The bomb must end at the limit.
    extraction.limits.decodedBytes = 64 << 20
    var accepted = 0
    for vector in try Samples.index("hostile") {
      let name = try #require(vector["file"] as? String)
      let verdict = try #require(vector["verdict"] as? String)
      let archive = try ArchiveFile(Samples.root.appendingPathComponent("hostile/\(name)").path)
      do {
        _ = try extraction.extract(archive, into: folder["jail/out"])
        accepted += 1
        #expect(!verdict.hasPrefix("reject") || verdict.contains("-or-"), "\(name) was extracted")
        #expect(
          try folder.tree().allSatisfy { $0 == "jail" || $0 == "jail/out" || $0.hasPrefix("jail/out/") }, "\(name)")
        for path in try folder.tree("jail/out") {
          let place = URL(fileURLWithPath: folder["jail/out/\(path)"]).resolvingSymlinksInPath().path
          let root = URL(fileURLWithPath: folder["jail/out"]).resolvingSymlinksInPath().path
          #expect(place.hasPrefix(root + "/"), "\(name): \(path) leads to \(place)")
        }
        try FileManager.default.removeItem(atPath: folder["jail/out"])
      } catch let failure as PackingFailure {
        #expect(failure.sentence.hasPrefix(archive.path) && failure.sentence.hasSuffix("."), "\(failure.sentence)")
        #expect(try folder.tree() == ["jail"], "\(name) left something")
      }
    }
    #expect(accepted >= 15)
    #expect(try folder.tree() == ["jail"])
  }

  @Test(.enabled(if: Samples.has("packs"))) func samplePacksComeOutWithTheirHashes() throws {
    for pack in try Samples.index("packs") {
      let name = try #require(pack["file"] as? String)
      guard let files = pack["files"] as? [[String: Any]] else { continue }
      let path = Samples.root.appendingPathComponent("packs/\(name)").path
      guard let archive = try? ArchiveFile(path), (try? PackReport(archive)) != nil else { continue }
      _ = try PackExtraction().extract(archive, into: folder["out"])
      for file in files {
        let place = try #require(file["path"] as? String)
        #expect(try ArchiveFile(folder["out/\(place)"]).sha256() == file["sha256"] as? String, "\(name): \(place)")
      }
      try FileManager.default.removeItem(atPath: folder["out"])
    }
  }
}
