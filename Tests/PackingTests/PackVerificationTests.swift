import Foundation
import Testing

@testable import Packing

@Suite struct PackVerificationTests {
  private let folder: PackFolder

  init() throws { folder = try PackFolder() }

  private func verify(
    manifest: String? = nil, strict: Bool = false, _ build: (inout RawArchive) -> Void = { _ in }
  ) throws -> [String] {
    var archive = RawArchive()
    build(&archive)
    if let manifest { archive.file("Manifest.json", Array(manifest.utf8)) }
    try folder.write("x.aar", archive.bytes)
    let verification = PackVerification(try ArchiveFile(folder["x.aar"]), profile: .appStore, isStrict: strict)
    #expect(verification.isAccepted == verification.findings.errors.isEmpty)
    for finding in verification.findings { #expect(finding.sentence.count > 20) }
    return verification.findings.map { "\($0.severity) \($0.code)" }
  }

  private func manifest(_ id: String = "level", platforms: String = "[\"iOS\"]", more: String = "") -> String {
    #"{"assetPackID":"\#(id)","downloadPolicy":{"onDemand":{}},"fileSelectors":[{"file":"a"}],"#
      + #""platforms":\#(platforms)\#(more)}"#
  }

  private static let program: [UInt8] =
    [0xcf, 0xfa, 0xed, 0xfe, 7, 0, 0, 1, 3, 0, 0, 0, 2, 0, 0, 0] + Array(repeating: 0, count: 16)

  @Test func theRulesOfPacksAreChecked() throws {
    #expect(try verify(manifest: manifest()) { $0.file("Contents/a", [1]) } == [])
    #expect(try verify { $0.file("Contents/a", [1]) } == ["error MANIFEST_MISSING"])
    #expect(try verify(manifest: "{}") { $0.file("Contents/a", [1]) }.allSatisfy { $0 == "error MANIFEST_INVALID" })
    #expect(
      try verify(manifest: manifest()) { $0.link("Contents/a", to: "b") } == ["error LINK_NOT_ALLOWED"])
    #expect(
      try verify(manifest: manifest(platforms: "[]")) { $0.file("Contents/a", Self.program) }
        == ["error EXECUTABLE_NOT_ALLOWED"])
    #expect(
      try verify(manifest: manifest("my.level")) { archive in
        archive.file("Contents/a", Self.program)
        archive.file("Other/b", [1])
      } == ["warning EXECUTABLE_IN_PACK", "warning FILES_OUTSIDE_CONTENTS", "warning PACK_ID_STORE_PROFILE"])
    #expect(try verify { $0.file("../a", [1]) } == ["error ARCHIVE_PATH"])
    #expect(try verify() == ["error ARCHIVE_EMPTY_FILE"])
  }

  @Test func strictMakesWarningsErrors() throws {
    #expect(
      try verify(manifest: manifest("my.level"), strict: true) { $0.file("Contents/a", [1]) }
        == ["error PACK_ID_STORE_PROFILE"])
  }

  @Test func theRecordedHashOfTheContentMustBeTrue() throws {
    let wrong = manifest(more: #","userInfo":{"contentSHA256":"00"}"#)
    #expect(try verify(manifest: wrong) { $0.file("Contents/a", [1]) } == ["error CONTENT_SHA256_MISMATCH"])
    let number = manifest(more: #","userInfo":{"contentSHA256":1}"#)
    #expect(try verify(manifest: number) { $0.file("Contents/a", [1]) } == ["error CONTENT_SHA256_MISMATCH"])
  }

  @Test func pathsAreListedEscaped() throws {
    var archive = RawArchive()
    archive.directory("Contents")
    archive.file("Contents/\u{1B}[31mred", [1])
    try folder.write("x.aar", archive.bytes)
    let listing = try EntryListing(try ArchiveFile(folder["x.aar"]))
    #expect(listing.text == "Contents/\nContents/\\u{1b}[31mred\n")
    #expect(listing.json["entries"]?.array?.last?["path"]?.string == "Contents/\u{1B}[31mred")
  }
}
