/// Compresses data to LZFSE payloads. The same bytes always give the same payload, on any machine. One encoder serves
/// any number of payloads; it owns about 1 MiB of tables and buffers.
package struct LZFSEEncoder: ~Copyable {
  private let parser = LZFSEParser()
  private var sequence = LZFSESequence()
  private let lzvn = LZVNEncoder()

  /// Data below this many bytes are tried with LZVN, which needs no tables.
  private static let smallByteCount = 4096
  static let plainHeaderByteCount = 8
  private static let endByteCount = 4

  package init() {}

  /// The most bytes that a payload for `count` bytes can have.
  package static func maximumByteCount(_ count: Int) -> Int {
    count + plainHeaderByteCount + endByteCount
  }

  /// Writes the payload for `data` to `output`, which must not overlap it. Gives the payload's length, nil when it does
  /// not fit.
  package mutating func encode(_ data: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Int? {
    guard let target = output.baseAddress, output.count >= Self.endByteCount else { return nil }
    // No longer than a plain copy of the whole.
    let limit = min(output.count - Self.endByteCount, data.count + Self.plainHeaderByteCount)
    let room = UnsafeMutableRawBufferPointer(start: target, count: limit)
    var count: Int?
    if data.count < Self.smallByteCount {
      count = encodeSmall(data, into: room)
    } else {
      count = encodeBlocks(data, into: room)
    }
    if count == nil, !data.isEmpty, data.count + Self.plainHeaderByteCount <= limit {
      Self.writePlain(data, to: target)
      count = data.count + Self.plainHeaderByteCount
    }
    guard let count else { return nil }
    (target + count).storeBytes(of: LZFSEMark.end.littleEndian, as: UInt32.self)
    return count + Self.endByteCount
  }

  private mutating func encodeBlocks(
    _ data: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
  ) -> Int? {
    sequence.begin(data, room)
    return parser.parse(data, into: &sequence) ? sequence.byteCount : nil
  }

  /// The shorter of both forms.
  private mutating func encodeSmall(
    _ data: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer
  ) -> Int? {
    guard !data.isEmpty else { return 0 }
    let blocks = encodeBlocks(data, into: room)
    let small = lzvn.encode(data)
    if let blocks, blocks <= small + LZVNEncoder.headerByteCount { return blocks }
    return lzvn.write(data.count, small, into: room)
  }

  /// Writes `data` as a `bvx-` block; `target` has room for it.
  static func writePlain(_ data: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer) {
    target.storeBytes(of: LZFSEMark.plain.littleEndian, as: UInt32.self)
    target.storeBytes(of: UInt32(truncatingIfNeeded: data.count).littleEndian, toByteOffset: 4, as: UInt32.self)
    if let source = data.baseAddress {
      (target + plainHeaderByteCount).copyMemory(from: source, byteCount: data.count)
    }
  }
}
