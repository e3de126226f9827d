import Testing
import Values

@testable import AppleArchive

@Suite(.enabled(if: Samples.has("hostile"))) struct HostileVectorTests {
  @Test func everyVectorMeetsItsVerdict() throws {
    let index = try Samples.index("hostile")
    #expect(index.count == 91)
    for vector in index {
      let name = try #require(vector["file"] as? String)
      let verdict = try #require(vector["verdict"] as? String)
      let bytes = try Samples.bytes("hostile/\(name)")
      if name.hasPrefix("95-") { continue }  // has its own test
      do throws(ArchiveFailure) {
        let inspection = try inspect(bytes)
        #expect(["accept", "warn", "policy"].contains(verdict) || verdict.contains("-or-"), "\(name): accepted")
        #expect(!inspection.entries.isEmpty, "\(name)")
        let warnings = inspection.warnings.filter { $0 != .noManifest }
        if ["warn", "policy"].contains(verdict) || verdict == "reject-or-strip" {
          #expect(!warnings.isEmpty, "\(name): no warning")
        }
      } catch {
        #expect(error.sentence.count > 20 && error.code.hasPrefix("ARCHIVE_"), "\(name): \(error)")
        #expect(!error.sentence.unicodeScalars.contains { isInvisible($0) }, "\(name): \(error.sentence)")
        if name.hasPrefix("02-ok-xz") || name.hasPrefix("94-") {
          #expect(error == .foreignFormat(.xzBlocks) && error.sentence.contains("not supported"), "\(name)")
        } else if verdict == "limit" {
          #expect(error.code == "ARCHIVE_PATH_LIMIT", "\(name): \(error)")
        } else {
          #expect(verdict.hasPrefix("reject"), "\(name): \(error.sentence)")
        }
      }
    }
  }

  @Test(arguments: [
    ("09-empty-file", "ARCHIVE_EMPTY_FILE"), ("08-empty-stream", "ARCHIVE_NO_ENTRIES"),
    ("10-magic-zip-android", "ARCHIVE_IS_ZIP"), ("10-magic-pbzq-unknown", "ARCHIVE_COMPRESSION_NOT_SUPPORTED"),
    ("10-magic-zlib", "ARCHIVE_FOREIGN_FORMAT"), ("20-path-dotdot", "ARCHIVE_PATH"),
    ("20-path-long-1024", "ARCHIVE_PATH_LIMIT"), ("31-dup-case", "ARCHIVE_PATH_COLLISION"),
    ("32-dup-nfc-nfd", "ARCHIVE_PATH_COLLISION"), ("33-file-then-dir", "ARCHIVE_PATH_COLLISION"),
    ("40-symlink-abs", "ARCHIVE_LINK"), ("41-symlink-up", "ARCHIVE_LINK"),
    ("44-type-B", "ARCHIVE_UNSUPPORTED_ENTRY_TYPE"), ("45-no-typ", "ARCHIVE_MISSING_FIELD"),
    ("48-pat-uint", "ARCHIVE_WRONG_FIELD_TYPE"), ("49-two-pat", "ARCHIVE_DUPLICATE_FIELD"),
    ("54-hardlink-nodat", "ARCHIVE_DEDUPLICATED_FILE"), ("56-sh2-mismatch", "ARCHIVE_CHECKSUM_MISMATCH"),
    ("60-hdr-size-0", "ARCHIVE_ENTRY_HEADER_SIZE"), ("63-hdr-past-end", "ARCHIVE_TRUNCATED_ENTRY"),
    ("64-str-past-hdr", "ARCHIVE_TRUNCATED_FIELD"), ("71-dat-2^63", "ARCHIVE_DECODED_BYTES_LIMIT"),
    ("72-dat-sum-wrap", "ARCHIVE_ATTRIBUTE_BYTES_LIMIT"), ("76-xat-bad-len", "ARCHIVE_EXTENDED_ATTRIBUTES"),
    ("77-xat-len-0", "ARCHIVE_EXTENDED_ATTRIBUTES"), ("81-bs-huge", "ARCHIVE_BLOCK_SIZE"),
    ("83-raw-gt-bs", "ARCHIVE_BLOCK_RAW_SIZE"), ("85-block-cut", "ARCHIVE_TRUNCATED_BLOCK"),
    ("86-bhdr-cut", "ARCHIVE_TRUNCATED_BLOCK_HEADER"), ("87-zero-block", "ARCHIVE_BLOCK_RAW_SIZE"),
    ("90-lzfse-wrong-size", "ARCHIVE_CORRUPT_BLOCK"), ("93-lz4-lie", "ARCHIVE_CORRUPT_BLOCK"),
  ])
  func namesWhatIsWrong(_ name: String, _ code: String) throws {
    #expect(failure(try Samples.bytes("hostile/\(name).aar"))?.code == code, "\(name)")
  }

  @Test func aBombIsReadWithinTheLimitsAndRefusedBeyond() throws {
    let bytes = try Samples.bytes("hostile/95-bomb-256m-lzfse.aar")
    let inspection = try inspect(bytes)
    #expect(inspection.installSize == 256 << 20)
    var limits = ArchiveLimits()
    limits.decodedBytes = 64 << 20
    #expect(failure(bytes, limits) == .decodedBytesLimit(64 << 20))
  }
}
