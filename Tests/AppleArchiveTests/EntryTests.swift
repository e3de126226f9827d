import Digests
import Synchronization
import Testing

@testable import AppleArchive

@Suite struct EntryTests {
  @Test func skipsUnknownFieldsOfEveryKnownType() throws {
    let zeros = { (count: Int) in [UInt8](repeating: 0, count: count) }
    let fields = [
      field("AAA*", []), field("AAB1", zeros(1)), field("AAC2", zeros(2)), field("AAD4", zeros(4)),
      field("AAE8", zeros(8)), text("AAF", "abc".utf8), field("AAGF", zeros(4)), field("AAHG", zeros(20)),
      field("AAIH", zeros(32)), field("AAJI", zeros(48)), field("AAKJ", zeros(64)), field("AALS", zeros(8)),
      field("AAMT", zeros(12)), field("AANA", [2, 0]), field("AAOB", [2, 0, 0, 0]),
      field("AAPC", [2, 0, 0, 0, 0, 0, 0, 0]),
    ]
    let bytes = entry(
      [field("TYP1", [0x46]), text("PAT", "f".utf8)] + fields + [field("DATA", [3, 0])], blobs: Array("zzzzzzabc".utf8))
    let inspection = try inspect(bytes)
    #expect(inspection.entries.first?.sha256 == Digest.sha256Text(Array("abc".utf8)))
  }

  @Test(arguments: [
    (field("ZZZ?", []), "ARCHIVE_UNKNOWN_FIELD_TYPE"),
    (field("MOD1", [1]) + field("MOD1", [1]), "ARCHIVE_DUPLICATE_FIELD"),
    (field("SIZ1", [2]), "ARCHIVE_SIZE_MISMATCH"), (field("MODP", [0, 0]), "ARCHIVE_WRONG_FIELD_TYPE"),
    (field("SH2G", [UInt8](repeating: 0, count: 20)), "ARCHIVE_WRONG_FIELD_TYPE"),
    (field("SH1G", [UInt8](repeating: 0, count: 20)), "ARCHIVE_CHECKSUM_MISMATCH"),
    (field("SH3I", [UInt8](repeating: 0, count: 48)), "ARCHIVE_CHECKSUM_MISMATCH"),
    (field("SH5J", [UInt8](repeating: 0, count: 64)), "ARCHIVE_CHECKSUM_MISMATCH"),
    (field("MTMT", [UInt8](repeating: 255, count: 12)), "ARCHIVE_FIELD_VALUE"),
    (field("XATC", [UInt8](repeating: 255, count: 8)), "ARCHIVE_ATTRIBUTE_BYTES_LIMIT"),
    (field("ZZZC", [UInt8](repeating: 255, count: 8)), "ARCHIVE_DECODED_BYTES_LIMIT"), ([0x41], "ARCHIVE_DUPLICATE"),
    (field("ZZZ4", [1]), "ARCHIVE_"),
  ])
  func refusesFaultyFields(_ bytes: [UInt8], _ code: String) {
    let found = failure(file("f", "x", [bytes]))?.code ?? "accepted"
    #expect(found.hasPrefix(code) || (code == "ARCHIVE_DUPLICATE" && found.hasPrefix("ARCHIVE_")), "\(found)")
  }

  @Test func acceptsMatchingChecksums() throws {
    let sha1 = hex("11f6ad8ec52a2984abaafd7c3b516503785c2072")
    let sha256 = hex(Digest.sha256Text(Array("x".utf8)))
    #expect(try inspect(file("f", "x", [field("SIZ1", [1]), field("SH1G", sha1), field("SH2H", sha256)])).files == 1)
  }

  @Test func refusesDataOnDirectories() {
    let bytes = entry([field("TYP1", [0x44]), text("PAT", "d".utf8), field("DATA", [1, 0])], blobs: [1])
    #expect(failure(bytes) == .unexpectedData(path: "d"))
  }

  @Test func dropsSetuidBitsWithAWarning() throws {
    let inspection = try inspect(file("f", "x", [field("MOD2", [0xed, 0x09])]))
    #expect(inspection.entries.first?.mode == 0o755)
    #expect(inspection.warnings.contains(.specialModeBits(path: "f", mode: 0o4755)))
  }

  @Test(arguments: [
    (hex("cffaedfe 07000001 03000000 02000000"), true, true), (hex("feedface 00000007 00000003 00000002"), true, true),
    (hex("cefaedfe 07000000 03000000 02000000"), true, true), (hex("feedfacf 00000007 00000003 00000002"), true, true),
    (hex("cffaedfe 07000001 03000000 06000000"), false, false), (hex("cffaedfe"), false, true),
    (
      hex(
        "cafebabe 00000001 01000007 00000003 00000020 00000010 00000000 00000000 cffaedfe 07000001 03000000 02000000"),
      true, true
    ),
    (
      hex(
        "cafebabe 00000001 01000007 00000003 00000020 00000010 00000000 00000000 cffaedfe 07000001 03000000 06000000"),
      false, false
    ),
    (
      hex(
        """
        cafebabf 00000001 01000007 00000003 00000000 00000028 00000000 00000010 00000000 00000000
        cffaedfe 07000001 03000000 02000000
        """
      ), true, true
    ),
    (hex("cafebabe 00000034 00000000 00000000"), false, false), (hex("cafebabf 00000001 0100"), false, true),
    (hex("cafebabf 00000001 01000007 00000003 ffffffff ffffffff 00000000 00000010 00000000 00000000"), false, false),
  ])
  func recognisesProgramsForMacOS(_ data: [UInt8], _ isExecutable: Bool, _ isWarned: Bool) throws {
    let bytes = entry(
      [field("TYP1", [0x46]), text("PAT", "f".utf8), field("DATA", [UInt8(data.count), 0])], blobs: data)
    for pieceSize in [1, 3, Int.max] {
      let inspection = try inspect(bytes, pieceSize: pieceSize)
      #expect(inspection.entries.first?.isMachOExecutable == isExecutable)
      #expect(inspection.warnings.contains(.executable(path: "f")) == isWarned)
    }
  }

  @Test func handsBackTheManifestOrItsCandidates() throws {
    let expected = try inspect(file("other.json", "{}") + file("Manifest.json", "{1}") + file("a/Manifest.json", "{2}"))
    #expect(expected.manifestCandidates.map(\.bytes) == [Array("{1}".utf8)])
    #expect(expected.warnings.isEmpty)
    let elsewhere = try inspect(file("pack.json", "{}") + file("a/Manifest.json", "{2}"))
    #expect(elsewhere.manifestCandidates.map(\.path.text) == ["pack.json"])
    #expect(elsewhere.warnings == [.manifestElsewhere(path: "pack.json")])
    let several = try inspect((0..<6).flatMap { file("\($0).json", "{}") })
    #expect(several.manifestCandidates.count == ArchiveInspection.maximumManifestCandidates)
    #expect(several.warnings == [.severalManifests(count: 6)])
    var limits = ArchiveLimits()
    limits.manifestBytes = 2
    #expect(try inspect(file("Manifest.json", "{1}"), limits).manifestCandidates.isEmpty)
  }

  @Test func theTimeIsLookedAtWithinAFile() {
    let large = entry(
      [field("TYP1", [0x46]), text("PAT", "a".utf8), field("DATB", [0, 0, 0x40, 0])],
      blobs: [UInt8](repeating: 0, count: 4 << 20))
    let looks = Mutex(0)
    var limits = ArchiveLimits()
    limits.isExpired = {
      looks.withLock { looks in
        looks += 1
        return looks > 3
      }
    }
    #expect(AppleArchiveTests.failure(large) == nil)
    #expect(AppleArchiveTests.failure(large, limits) == .deadlineExpired)
  }

  @Test func obeysItsLimits() {
    let bytes = file("a") + file("b/c")
    func failure(_ change: (inout ArchiveLimits) -> Void) -> String? {
      var limits = ArchiveLimits()
      change(&limits)
      return AppleArchiveTests.failure(bytes, limits)?.code
    }
    #expect(failure { _ in } == nil)
    #expect(failure { $0.entries = 1 } == "ARCHIVE_ENTRIES_LIMIT")
    #expect(failure { $0.entries = 2 } == "ARCHIVE_ENTRIES_LIMIT")  // the folder b counts
    #expect(failure { $0.headerBytes = 40 } == "ARCHIVE_HEADER_BYTES_LIMIT")
    #expect(failure { $0.decodedBytes = 40 } == "ARCHIVE_DECODED_BYTES_LIMIT")
    #expect(failure { $0.fieldsPerHeader = 2 } == "ARCHIVE_TOO_MANY_FIELDS")
    #expect(failure { $0.pathDepth = 1 } == "ARCHIVE_PATH_LIMIT")
    #expect(failure { $0.isExpired = { true } } == "ARCHIVE_DEADLINE_EXPIRED")
    var limits = ArchiveLimits()
    limits.blockSize = 1 << 20
    #expect(AppleArchiveTests.failure(Example.zlib, limits) == .blockSize(4 << 20, limit: 1 << 20))
    limits.warnings = 1
    let warned = try? inspect(file("._a") + file("._b") + file("._c"), limits)
    #expect(warned?.warnings.contains(.moreWarnings(count: 2)) == true)
  }
}
