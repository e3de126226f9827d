@testable import AppleArchive

/// The bytes of a hexadecimal text; white space is ignored.
func hex(_ text: String) -> [UInt8] {
  let digits = text.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// A raw field of an entry header: four letters and the value's bytes.
func field(_ name: String, _ value: [UInt8]) -> [UInt8] { Array(name.utf8) + value }

/// A text field.
func text(_ key: String, _ value: some Sequence<UInt8>) -> [UInt8] {
  let bytes = Array(value)
  return field(key + "P", [UInt8(bytes.count & 255), UInt8(bytes.count >> 8)] + bytes)
}

/// An entry of raw fields and blobs.
func entry(_ fields: [[UInt8]], blobs: [UInt8] = []) -> [UInt8] {
  let body = fields.flatMap { $0 }
  let size = body.count + 6
  return Array("AA01".utf8) + [UInt8(size & 255), UInt8(size >> 8)] + body + blobs
}

/// A file with these data (below 64 KiB).
func file(_ path: String, _ data: String = "x", _ more: [[UInt8]] = []) -> [UInt8] {
  let count = data.utf8.count
  let blob = field("DATA", [UInt8(count & 255), UInt8(count >> 8)])
  return entry([field("TYP1", [0x46]), text("PAT", path.utf8)] + more + [blob], blobs: Array(data.utf8))
}

func directory(_ path: String) -> [UInt8] {
  entry([field("TYP1", [0x44]), text("PAT", path.utf8)])
}

func link(_ path: String, _ target: String) -> [UInt8] {
  entry([field("TYP1", [0x4c]), text("PAT", path.utf8), text("LNK", target.utf8)])
}

/// The inspection of an archive in memory.
func inspect(
  _ bytes: [UInt8], _ limits: ArchiveLimits = ArchiveLimits(), pieceSize: Int = .max
) throws(ArchiveFailure) -> ArchiveInspection {
  try ArchiveInspection.inspect(MemorySource(bytes, pieceSize: pieceSize), limits: limits)
}

/// The failure of an archive in memory, nil when it is accepted.
func failure(_ bytes: [UInt8], _ limits: ArchiveLimits = ArchiveLimits()) -> ArchiveFailure? {
  do throws(ArchiveFailure) {
    _ = try inspect(bytes, limits)
    return nil
  } catch {
    return error
  }
}

/// A small generator with a seed, so that a failing case can be repeated (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}

/// Format examples in all containers, small enough to be read by eye.
enum Example {
  static let bare = hex("41413031 1c00 5459503146 504154 50 0500 612e747874 444154 41 0500 68656c6c6f")
  static let lzfse = hex(
    """
    70627a65 0000000000400000 0000000000000144 000000000000003c 6276786e 44010000 2c000000 e009
    41413031180054595031465041545001007a444154412c01003801f0fff000e2000006000000000000 00 62767824
    """)
  static let zlib = hex(
    """
    70627a7a 0000000000400000 0000000000000144 0000000000000024 785e
    73743430946008890c30740b700c096064a872710c71d461641805440300 991e0567
    """)
  /// Apple's form: no Adler-32.
  static let zlibWithoutChecksum = hex(
    """
    70627a7a 0000000000400000 0000000000000144 0000000000000020 785e
    73743430946008890c30740b700c096064a872710c71d461641805440300
    """)
  static let lz4 = hex(
    """
    70627a34 0000000000400000 0000000000000144 0000000000000035 62763431 44010000 25000000
    ff0a41413031180054595031465041545001007a444154412c01000100ff145000000000 00 62763424
    """)
  static let storedBlock = hex("70627a65 0000000000400000 0000000000000021 0000000000000021") + bare
}
