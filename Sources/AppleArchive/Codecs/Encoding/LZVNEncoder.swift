/// Compresses up to 4095 bytes to LZVN opcodes (the body of a `bvxn` block) in a buffer of its own.
struct LZVNEncoder: ~Copyable {
  private static let headerByteCount = 12
  static let maximumData = 4095

  private let finder = ChainFinder(capacity: maximumData)
  /// A match takes no more bytes than it stands for, and there is at most one more byte for each four literals; the
  /// end mark takes 8.
  private let opcodes = ByteBuffer(capacity: maximumData + maximumData / 4 + 32)

  private static let minimumMatch = 3

  /// Writes a `bvxn` block for `data`, 1 … 4095 bytes; gives its length, nil when it does not fit.
  func encode(_ data: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer) -> Int? {
    guard let start = data.baseAddress, let target = room.baseAddress, data.count <= Self.maximumData else {
      return nil
    }
    let count = writeOpcodes(start, data.count)
    guard count + Self.headerByteCount <= room.count else { return nil }
    target.storeBytes(of: LZFSEMark.lzvn.littleEndian, as: UInt32.self)
    target.storeBytes(of: UInt32(truncatingIfNeeded: data.count).littleEndian, toByteOffset: 4, as: UInt32.self)
    target.storeBytes(of: UInt32(truncatingIfNeeded: count).littleEndian, toByteOffset: 8, as: UInt32.self)
    (target + Self.headerByteCount).copyMemory(from: opcodes.start, byteCount: count)
    return count + Self.headerByteCount
  }

  /// Fills `opcodes`; gives their length.
  private func writeOpcodes(_ start: UnsafeRawPointer, _ dataCount: Int) -> Int {
    finder.clear()
    var writer = LZVNWriter(opcodes.start)
    var place = 0
    var anchor = 0
    while place &+ Self.minimumMatch <= dataCount {
      var match = finder.find(start, place, dataCount)
      finder.insert(start, place)
      guard match.length >= Self.minimumMatch else {
        place &+= 1
        continue
      }
      var inserted = place &+ 1
      while place &+ 1 &+ Self.minimumMatch <= dataCount {
        let next = finder.find(start, place &+ 1, dataCount)
        guard next.length > match.length else { break }
        finder.insert(start, place &+ 1)
        match = next
        place &+= 1
        inserted = place &+ 1
      }
      writer.append(start + anchor, literals: place &- anchor, match: match.length, distance: match.distance)
      place &+= match.length
      anchor = place
      while inserted < min(place, dataCount &- Self.minimumMatch) {
        finder.insert(start, inserted)
        inserted &+= 1
      }
    }
    writer.appendLiterals(start + anchor, dataCount &- anchor)
    writer.end()
    return writer.byteCount
  }
}
