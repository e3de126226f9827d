/// What the first bytes of a file say about Mach-O, the format of programs on Apple's systems.
package enum MachOKind: Equatable {
  case none
  /// An executable program (MH_EXECUTE), alone or in a universal file.
  case executable
  /// A library, bundle or object file.
  case other
  /// A Mach-O mark, but the file ends before its type.
  case cutOff
}

/// Looks for Mach-O in a file's bytes as they pass by: the header at the start, and for a universal file the headers of
/// its parts, wherever they lie.
package struct MachODetector {
  private static let headerByteCount = 16
  /// Java class files share the mark of universal files; their version stands where the count of parts does and is
  /// larger.
  private static let maximumParts = 40
  private static let executableType: UInt32 = 2

  private var head: [UInt8] = []
  private var wanted = 4
  private var isUniversal = false
  private var position = 0
  /// Headers of parts: where each starts, and its bytes so far.
  private var parts: [(offset: Int, bytes: [UInt8])] = []
  private var isDecided = false

  package init() {}

  /// Whether the first four bytes of a file may be those of Mach-O.
  package static func isMark(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var detector = MachODetector()
    detector.update(UnsafeRawBufferPointer(rebasing: bytes.prefix(4)))
    return !detector.isDecided && detector.head.count == 4
  }

  /// The next bytes of the file.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard !isDecided else { return }
    defer { position += bytes.count }
    var offset = 0
    while head.count < wanted, offset < bytes.count {
      head.append(bytes[offset])
      offset += 1
      if head.count == wanted { plan() }
    }
    for index in parts.indices { collect(bytes, into: index) }
  }

  /// Decides how many bytes of the head are needed next.
  private mutating func plan() {
    let isWide = big(0) == 0xcafe_babf
    switch big(0) {
    case 0xfeed_face, 0xfeed_facf, 0xcefa_edfe, 0xcffa_edfe:
      if wanted < Self.headerByteCount { wanted = Self.headerByteCount }
      if head.count >= Self.headerByteCount { isDecided = true }
    case 0xcafe_babe, 0xcafe_babf:
      let partByteCount = isWide ? 32 : 20
      if wanted < 8 {
        wanted = 8
      } else if wanted == 8 {
        let count = Int(big(4))
        if count >= 1, count <= Self.maximumParts {
          isUniversal = true
          wanted = 8 + count * partByteCount
        } else {
          isDecided = true
        }
      } else {
        for start in stride(from: 8, to: wanted, by: partByteCount) {
          let offset = isWide ? UInt64(big(start + 8)) << 32 | UInt64(big(start + 12)) : UInt64(big(start + 8))
          // A part cannot lie in the head itself.
          if let offset = Int(exactly: offset), offset >= wanted { parts.append((offset, [])) }
        }
      }
    default:
      isDecided = true
    }
  }

  private mutating func collect(_ bytes: UnsafeRawBufferPointer, into index: Int) {
    let missing = Self.headerByteCount - parts[index].bytes.count
    let next = parts[index].offset &+ parts[index].bytes.count
    guard missing > 0, next >= position, next < position + bytes.count else { return }
    parts[index].bytes.append(contentsOf: bytes[(next - position)...].prefix(missing))
  }

  /// The answer, once the whole file has passed.
  package var kind: MachOKind {
    guard head.count >= 4 else { return .none }
    switch big(0) {
    case 0xfeed_face, 0xfeed_facf, 0xcefa_edfe, 0xcffa_edfe:
      guard head.count >= Self.headerByteCount else { return .cutOff }
      return Self.isExecutable(head) ? .executable : .other
    case 0xcafe_babe where isUniversal, 0xcafe_babf where isUniversal:
      guard head.count == wanted else { return .cutOff }
      let programs = parts.filter { $0.bytes.count == Self.headerByteCount }
      return programs.contains { Self.isExecutable($0.bytes) } ? .executable : .other
    default: return .none
    }
  }

  /// Whether 16 bytes are the header of a program, in either byte order.
  private static func isExecutable(_ header: [UInt8]) -> Bool {
    let type = header[12..<16].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    switch header[0..<4].reduce(UInt32(0), { $0 << 8 | UInt32($1) }) {
    case 0xfeed_face, 0xfeed_facf: return type == executableType
    case 0xcefa_edfe, 0xcffa_edfe: return type.byteSwapped == executableType
    default: return false
    }
  }

  private func big(_ offset: Int) -> UInt32 {
    guard offset + 4 <= head.count else { return 0 }
    return head[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
  }
}
