import Digests
import Testing

@testable import AppleArchive

@Suite struct ExampleTests {
  @Test func listsABareEntryStream() throws {
    let inspection = try inspect(Example.bare)
    #expect(inspection.container == ArchiveContainer(codec: .none, blockSize: 0))
    #expect(inspection.entries.map(\.path.text) == ["a.txt"])
    #expect(
      inspection.entries.first?.sha256 == "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824")
    #expect(inspection.installSize == 5)
    #expect(inspection.files == 1)
    #expect(inspection.warnings == [.noManifest])
  }

  @Test(arguments: [
    (Example.lzfse, "lzfse"), (Example.zlib, "zlib"), (Example.zlibWithoutChecksum, "zlib"), (Example.lz4, "lz4"),
  ])
  func decodesEveryCodec(_ bytes: [UInt8], _ codec: String) throws {
    let zeros = Digest.sha256Text([UInt8](repeating: 0, count: 300))
    for pieceSize in [Int.max, 1, 7] {
      let inspection = try inspect(bytes, pieceSize: pieceSize)
      #expect(inspection.container.codec.rawValue == codec)
      #expect(inspection.container.blockSize == 4 << 20)
      #expect(inspection.entries.first?.sha256 == zeros)
      #expect(inspection.installSize == 300)
    }
  }

  @Test func takesABlockOfEqualSizesAsAPlainCopy() throws {
    #expect(try inspect(Example.storedBlock).entries.map(\.path.text) == ["a.txt"])
  }

  @Test func everyCutOfAnExampleIsAnError() {
    for bytes in [
      Example.bare, Example.lzfse, Example.zlib, Example.zlibWithoutChecksum, Example.lz4, Example.storedBlock,
    ] {
      for count in 0..<bytes.count { #expect(failure(Array(bytes[..<count])) != nil, "cut at \(count)") }
    }
  }

  @Test func everyFlippedByteOfAnExampleIsSurvived() {
    for bytes in [Example.bare, Example.lzfse, Example.zlib, Example.lz4] {
      for index in bytes.indices {
        for flip in [UInt8(1), 0x80, 0xff] {
          var changed = bytes
          changed[index] ^= flip
          _ = failure(changed)
        }
      }
    }
  }
}
