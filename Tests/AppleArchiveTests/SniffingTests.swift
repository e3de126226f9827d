import Testing

@testable import AppleArchive

@Suite struct SniffingTests {
  @Test(arguments: [
    (Array("AEA1xxxxxxx".utf8), ForeignFormat.encrypted, "decrypt it first"),
    (Array("PK\u{3}\u{4}xxxx".utf8), .zip, "Android library shares the extension"),
    (Array("pbzbxxxx".utf8), .lzbitmapBlocks, "not supported"), (Array("pbzfxxxx".utf8), .lzvnBlocks, "not supported"),
    (Array("pbzxxxxx".utf8), .xzBlocks, "not supported"), (Array("pbzqxxxx".utf8), .unknownBlocks, "not supported"),
    (hex("1f8b0800"), .gzip, "gzip"), (Array("BZh91AY".utf8), .bzip2, "bzip2"), (hex("fd377a585a00"), .xz, "bare xz"),
    (Array("bvx2xxxx".utf8), .bareLZFSE, "bare LZFSE"), (Array("bv41xxxx".utf8), .bareLZ4, "bare LZ4"),
    (hex("789c0300"), .bareZlib, "bare zlib"), (Array("070701".utf8), .cpio, "cpio"),
    (Array("xar!xxxx".utf8), .xar, "xar"),
    (Array("  <!DOCTYPE html>".utf8), .html, "HTML"),
    ([UInt8](repeating: 65, count: 257) + Array("ustar".utf8), .tar, "tar"),
    (Array("hello".utf8), .unknown, "AA01"),
  ])
  func namesForeignFiles(_ bytes: [UInt8], _ format: ForeignFormat, _ words: String) {
    let failure = failure(bytes)
    #expect(failure == .foreignFormat(format))
    #expect(failure?.sentence.contains(words) == true, "\(failure?.sentence ?? "")")
  }

  @Test func namesFilesThatAreTooShort() {
    #expect(failure([]) == .emptyFile)
    #expect(failure([0x41, 0x41, 0x30]) == .tooShort(bytes: 3))
    #expect(failure(Array("pbze".utf8)) == .truncatedContainerHeader)
    #expect(failure(Array("AA01".utf8)) == .truncatedEntry(entry: 0))
  }
}
