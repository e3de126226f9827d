import AppleArchive
import Packing
import Testing

@Suite struct ParallelBlockCompressorTests {
  private struct Full: Error {}

  private final class Collected {
    var bytes: [UInt8] = []
  }

  /// Words, noise and zeros, so that blocks differ in what they become.
  private static let data: [UInt8] = {
    var state: UInt32 = 1
    func next() -> UInt32 {
      state = state &* 1_664_525 &+ 1_013_904_223
      return state >> 16
    }
    var bytes: [UInt8] = []
    for piece in 0..<40 {
      switch piece % 3 {
      case 0: for _ in 0..<3000 { bytes += [97, 98, UInt8(99 + next() % 8), 32] }
      case 1: for _ in 0..<9000 { bytes.append(UInt8(next() & 255)) }
      default: bytes += repeatElement(0, count: 11_000)
      }
    }
    return bytes
  }()

  private func write(_ writer: inout ArchiveWriter<Full>, _ data: [UInt8]) throws {
    try writer.beginFile("f", size: Int64(data.count), modified: ArchiveTime(seconds: 0))
    try data.withUnsafeBytes { try writer.fileBytes($0) }
    try writer.endFile()
    try writer.finish()
  }

  private func serial(_ codec: ArchiveWriterCodec, _ blockSize: Int, _ data: [UInt8]) throws -> [UInt8] {
    let collected = Collected()
    var writer = ArchiveWriter<Full>(codec: codec, blockSize: blockSize) { bytes throws(Full) in
      collected.bytes += bytes
    }
    try write(&writer, data)
    return collected.bytes
  }

  private func parallel(
    _ codec: ArchiveWriterCodec, _ blockSize: Int, threads: Int, _ data: [UInt8]
  ) throws -> [UInt8] {
    let collected = Collected()
    let compressor = try ParallelBlockCompressor<Full>(codec, blockSize: blockSize, threads: threads) {
      bytes throws(Full) in collected.bytes += bytes
    }
    var writer = ArchiveWriter<Full>(blockSize: blockSize, blocks: compressor)
    try write(&writer, data)
    return collected.bytes
  }

  @Test(arguments: ArchiveWriterCodec.allCases) func theBytesAreThoseOfOneThread(_ codec: ArchiveWriterCodec) throws {
    for blockSize in [4096, 65_536, 1 << 20] {
      let expected = try serial(codec, blockSize, Self.data)
      for threads in [1, 2, 3, 7] {
        #expect(try parallel(codec, blockSize, threads: threads, Self.data) == expected, "\(blockSize) \(threads)")
      }
    }
  }

  @Test func sizesAroundTheBlockSizeAreTheSame() throws {
    // The header of the file "f" takes less than 100 bytes.
    for size in [0, 1, 4096 - 100, 4095, 4096, 4097, 8192, 3 * 4096 - 50] {
      let data = Array(Self.data.prefix(size))
      #expect(try parallel(.lzfse, 4096, threads: 2, data) == serial(.lzfse, 4096, data), "\(size)")
    }
  }

  @Test func theSinksFailureComesOutAndTheThreadsEnd() throws {
    for allowed in [0, 1, 5] {
      var calls = 0
      var thrown = false
      try withoutActuallyEscaping({ (_: UnsafeRawBufferPointer) throws(Full) in
        calls += 1
        if calls > allowed { throw Full() }
      }) { sink in
        let compressor = try ParallelBlockCompressor<Full>(.lzfse, blockSize: 4096, threads: 2, sink: sink)
        var writer = ArchiveWriter<Full>(blockSize: 4096, blocks: compressor)
        do { try write(&writer, Self.data) } catch ArchiveWriteFailure<Full>.sink { thrown = true }
      }
      #expect(thrown)
    }
  }
}
