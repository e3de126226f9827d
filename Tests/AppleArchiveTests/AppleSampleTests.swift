import Testing

@testable import AppleArchive

@Suite(.enabled(if: Samples.has("apple"))) struct AppleSampleTests {
  @Test func listsWhatAppleToolsArchived() throws {
    let inspection = try inspect(try Samples.bytes("apple/SparkleTestCodeSignApp.aar"))
    let lines = try Samples.text("apple/SparkleTestCodeSignApp.tsv").split(separator: "\n").dropFirst()
    #expect(inspection.entries.count == lines.count)
    for (entry, line) in zip(inspection.entries, lines) {
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      #expect(entry.path.text == columns[6])
      let letters: [ArchiveEntryType: String] = [.file: "F", .directory: "D", .link: "L"]
      #expect(letters[entry.type] == columns[2], "\(columns[6])")
      #expect(entry.mode.map { String($0, radix: 8) } == columns[3], "\(columns[6])")
      if entry.type == .file {
        #expect(String(entry.size) == columns[4], "\(columns[6])")
        #expect(entry.sha256 == columns[5], "\(columns[6])")
      }
      if entry.type == .link { #expect(entry.linkTarget?.text == columns[7], "\(columns[6])") }
    }
    #expect(inspection.files == 152 && inspection.directories == 69 && inspection.links == 6)
    #expect(inspection.installSize == 2_465_464)
    // The third Mach-O file, the framework's library, is no program.
    let programs = inspection.entries.filter(\.isMachOExecutable)
    #expect(programs.map { $0.path.text.split(separator: "/").last } == ["Autoupdate", "Sparkle Test App"])
    #expect(inspection.warnings.filter { $0.code == "ARCHIVE_CONTAINS_LINK" }.count == 6)
  }
}
