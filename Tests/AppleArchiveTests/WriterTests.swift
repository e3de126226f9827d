import Digests
import Testing

@testable import AppleArchive

@Suite struct WriterTests {
  private struct Full: Error {}

  /// An archive of some files, written in pieces of `pieceSize` bytes.
  static func write(
    _ codec: ArchiveWriterCodec, blockSize: Int, pieceSize: Int, _ files: [(String, [UInt8])]
  ) throws -> [UInt8] {
    var output: [UInt8] = []
    try withoutActuallyEscaping({ (bytes: UnsafeRawBufferPointer) throws(Full) in output += bytes }) { sink in
      var writer = ArchiveWriter<Full>(codec: codec, blockSize: blockSize, sink: sink)
      let time = ArchiveTime(seconds: 1_700_000_000, nanoseconds: 5)
      try writer.directory("", modified: time)
      try writer.directory("Contents", modified: time)
      for (path, data) in files {
        try writer.beginFile(path, size: Int64(data.count), modified: time)
        for start in stride(from: 0, to: data.count, by: pieceSize) {
          try data[start..<min(start + pieceSize, data.count)].withUnsafeBytes { try writer.fileBytes($0) }
        }
        try writer.endFile()
      }
      try writer.finish()
    }
    return output
  }

  static let files: [(String, [UInt8])] = {
    var generator = SeededGenerator(state: 1)
    return [
      ("Contents/zeros", [UInt8](repeating: 0, count: 70_000)), ("Contents/empty", []),
      ("Contents/noise", (0..<50_000).map { _ in UInt8.random(in: 0...255, using: &generator) }),
      ("Manifest.json", Array("{\"assetPackID\":\"p\"}".utf8)),
    ]
  }()

  @Test(arguments: ArchiveWriterCodec.allCases, [1 << 20, 4096, 37])
  func isReadBackAndReproducible(_ codec: ArchiveWriterCodec, _ blockSize: Int) throws {
    let bytes = try Self.write(codec, blockSize: blockSize, pieceSize: 1000, Self.files)
    #expect(bytes == (try Self.write(codec, blockSize: blockSize, pieceSize: 1 << 20, Self.files)))
    let inspection = try inspect(bytes)
    #expect(inspection.container.codec.rawValue == codec.rawValue)
    #expect(inspection.container.blockSize == blockSize)
    #expect(inspection.directories == 2 && inspection.files == 4)
    for (path, data) in Self.files {
      let entry = try #require(inspection.entries.first { $0.path.text == path })
      #expect(entry.sha256 == Digest.sha256Text(data))
      #expect(entry.mode == 0o644)
      #expect(entry.entry.modified == ArchiveTime(seconds: 1_700_000_000, nanoseconds: 5))
    }
    #expect(inspection.manifestCandidates.count == 1 && inspection.warnings.isEmpty)
  }

  @Test func writesFieldsInTheOrderOfAppleTools() throws {
    let bytes = try Self.write(.stored, blockSize: 1 << 20, pieceSize: 10, [("f", [1, 2])])
    #expect(bytes.starts(with: hex("70627a2d 0000000000100000")))
    let last =
      Array("AA01".utf8) + [56, 0] + Array("TYP1FPATP".utf8) + [1, 0] + Array("fUID1".utf8) + [0]
      + Array("GID1".utf8) + [0] + Array("MOD2".utf8) + [0xa4, 1] + Array("MTMT".utf8)
      + hex("00f15365 00000000 05000000") + Array("DATA".utf8) + [2, 0, 1, 2]
    #expect(Array(bytes.suffix(last.count)) == last)
  }

  @Test func storesBlocksThatDoNotShrink() throws {
    let bytes = try Self.write(.zlib, blockSize: 1 << 20, pieceSize: 9999, [Self.files[2]])
    let raw = bytes[12..<20].reduce(0) { $0 << 8 | Int($1) }
    let stored = bytes[20..<28].reduce(0) { $0 << 8 | Int($1) }
    #expect(raw == stored && bytes.count == 28 + raw)
  }

  /// The failure of a misused writer.
  private static func failure(_ use: (inout ArchiveWriter<Full>) throws(ArchiveWriteFailure<Full>) -> Void) -> String? {
    var writer = ArchiveWriter<Full>(limits: ArchiveLimits()) { _ throws(Full) in }
    do throws(ArchiveWriteFailure<Full>) {
      try use(&writer)
      return nil
    } catch {
      switch error {
      case .archive(let failure): return failure.code
      case .sink: return "sink"
      }
    }
  }

  @Test func refusesWhatItsReaderWouldRefuse() {
    let time = ArchiveTime(seconds: 0)
    typealias Failure = ArchiveWriteFailure<Full>
    #expect(
      Self.failure { (writer) throws(Failure) in try writer.directory("../a", modified: time) } == "ARCHIVE_PATH")
    #expect(
      Self.failure { (writer) throws(Failure) in
        try writer.directory("a", modified: time)
        try writer.directory("A", modified: time)
      } == "ARCHIVE_PATH_COLLISION")
    #expect(
      Self.failure { (writer) throws(Failure) in
        try writer.beginFile("a", size: 1, modified: time)
        try writer.endFile()
      } == "ARCHIVE_WRITER_FILE_SIZE")
    #expect(
      Self.failure { (writer) throws(Failure) in
        try writer.beginFile("a", size: 0, modified: time)
        try writer.directory("b", modified: time)
      } == "ARCHIVE_WRITER_OUT_OF_ORDER")
    #expect(
      Self.failure { (writer) throws(Failure) in
        try writer.beginFile("a", size: 0, modified: time)
        try writer.endFile()
        try writer.finish()
        try writer.finish()
      } == "ARCHIVE_WRITER_OUT_OF_ORDER")
    #expect(
      Self.failure { (writer) throws(Failure) in
        try writer.beginFile("a", size: 1, modified: time)
        let bytes: [UInt8] = [1, 2]
        let result = bytes.withUnsafeBytes { raw in Result { () throws(Failure) in try writer.fileBytes(raw) } }
        try result.get()
      } == "ARCHIVE_WRITER_FILE_SIZE")
  }

  @Test func passesOnTheSinksFailure() {
    var writer = ArchiveWriter<Full> { _ throws(Full) in throw Full() }
    do throws(ArchiveWriteFailure<Full>) {
      try writer.directory("a", modified: ArchiveTime(seconds: 0))
      try writer.finish()
      Issue.record("nothing was thrown")
    } catch {
      if case .archive(let failure) = error { Issue.record("\(failure)") }
    }
  }

  @Test func hashesInPieces() throws {
    let hash = Digest(.sha256)
    for piece in ["a", "", "bc"] { Array(piece.utf8).withUnsafeBytes { hash.update($0) } }
    let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    #expect(hash.finishText() == expected)
    #expect(hash.finishText() == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
  }
}
