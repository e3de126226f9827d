import AppleArchive
import Glibc

/// Encodes and decodes files block by block on the calling thread.
struct CodecBench: ~Copyable {
  private var encoder = LZFSEEncoder()
  private let decoder = LZFSEDecoder()
  private var data: [UInt8] = []
  private var blocks: [(payload: [UInt8], raw: Range<Int>)] = []

  init() {}

  mutating func encode(path: String, blockSize: Int) -> String {
    data = Self.fileBytes(path)
    blocks = stride(from: 0, to: data.count, by: blockSize).map { start in
      let raw = start..<min(start + blockSize, data.count)
      return ([UInt8](repeating: 0, count: LZFSEEncoder.maximumByteCount(raw.count)), raw)
    }
    var lengths: [Int] = []
    lengths.reserveCapacity(blocks.count)
    let begin = processorTime()
    for index in blocks.indices {
      let raw = blocks[index].raw
      let count = data.withUnsafeBytes { all in
        blocks[index].payload.withUnsafeMutableBytes { room in
          encoder.encode(UnsafeRawBufferPointer(rebasing: all[raw]), into: room)
        }
      }
      lengths.append(count ?? 0)
    }
    let seconds = processorTime() - begin
    for index in blocks.indices { blocks[index].payload.removeLast(blocks[index].payload.count - lengths[index]) }
    return "\(seconds) \(lengths.reduce(0, +))"
  }

  func decode() -> String {
    var output = [UInt8](repeating: 0, count: data.count)
    let begin = processorTime()
    for block in blocks {
      let isRight = output.withUnsafeMutableBytes { room in
        block.payload.withUnsafeBytes { source in
          (try? decoder.decode(source, into: UnsafeMutableRawBufferPointer(rebasing: room[block.raw]))) != nil
        }
      }
      if !isRight { return "a payload cannot be decoded" }
    }
    let seconds = processorTime() - begin
    return output == data ? "\(seconds) \(output.count)" : "a payload decodes to something else"
  }

  mutating func encodeFrame(_ bytes: [UInt8]) -> [UInt8]? {
    var payload = [UInt8](repeating: 0, count: LZFSEEncoder.maximumByteCount(bytes.count))
    let count = payload.withUnsafeMutableBytes { room in bytes.withUnsafeBytes { encoder.encode($0, into: room) } }
    return count.map { Array(payload[..<$0]) }
  }

  func decodeFrame(_ payload: [UInt8], rawCount: Int) -> [UInt8]? {
    // One byte more, because an empty array has no address.
    var output = [UInt8](repeating: 0, count: rawCount + 1)
    let isRight = output.withUnsafeMutableBytes { room in
      payload.withUnsafeBytes { source in
        (try? decoder.decode(source, into: UnsafeMutableRawBufferPointer(rebasing: room[..<rawCount]))) != nil
      }
    }
    return isRight ? Array(output[..<rawCount]) : nil
  }

  static func fileBytes(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "rb") else { return [] }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    let count = ftell(file)
    rewind(file)
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, used in
      used = fread(buffer.baseAddress, 1, count, file)
    }
  }

  private func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
