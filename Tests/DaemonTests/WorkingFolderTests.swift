import Foundation
import Testing

/// The folder that a program was started in is not taken away from under it.
@Suite struct WorkingFolderTests {
  @Test func nothingIsExtractedIntoIt() throws {
    let folder = try TemporaryFolder()
    let archive = try folder.write("a.aar", try Packs.make("a"))
    try FileManager.default.createDirectory(atPath: folder.file("empty"), withIntermediateDirectories: false)
    func extract(into target: String) throws -> ChildProcess.Exit {
      let words = ["cd \(folder.file("empty"))", "exec \(ChildProcess.packhouse) pack extract \(archive) -o \(target)"]
      return try ChildProcess(
        "/bin/sh", ["-c", words.joined(separator: " && ")], errorPath: folder.file("errors")
      ).finish()
    }
    let place = URL(fileURLWithPath: folder.file("empty"))
    let before = try FileManager.default.attributesOfItem(atPath: place.path)[.systemFileNumber] as? Int
    for target in [".", "../empty", folder.file("empty")] {
      #expect(try extract(into: target) != .code(0), "\(target)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: place.path) == [], "\(target)")
    }
    #expect(try FileManager.default.attributesOfItem(atPath: place.path)[.systemFileNumber] as? Int == before)
    #expect(try extract(into: "../other") == .code(0))
  }
}
