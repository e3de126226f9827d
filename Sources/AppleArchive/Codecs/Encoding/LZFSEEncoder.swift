/// Compresses data to LZFSE payloads. The same bytes always give the same payload, on any machine. One encoder serves
/// any number of payloads; it owns about 1 MiB of tables and buffers.
///
/// It writes the forms that the reference encoder writes, and no others that a decoder could read as well: `bvx2`
/// blocks, one `bvxn` block for little data, or one `bvx-` block for data that do not shrink.
package struct LZFSEEncoder: ~Copyable {
  private let parser = LZFSEParser()
  private var sequence = LZFSESequence()
  private let lzvn = LZVNEncoder()

  /// Data below this many bytes become LZVN, which needs no tables.
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
      count = data.isEmpty ? 0 : lzvn.encode(data, into: room)
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

  /// Writes `data` as a `bvx-` block; `target` has room for it.
  static func writePlain(_ data: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer) {
    target.storeBytes(of: LZFSEMark.plain.littleEndian, as: UInt32.self)
    target.storeBytes(of: UInt32(truncatingIfNeeded: data.count).littleEndian, toByteOffset: 4, as: UInt32.self)
    if let source = data.baseAddress {
      (target + plainHeaderByteCount).copyMemory(from: source, byteCount: data.count)
    }
  }
}
