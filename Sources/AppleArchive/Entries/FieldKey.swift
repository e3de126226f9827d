/// The three letters that name a field, as a little-endian number.
struct FieldKey: Equatable {
  let value: UInt32

  init(_ first: UInt8, _ second: UInt8, _ third: UInt8) {
    value = UInt32(first) | UInt32(second) << 8 | UInt32(third) << 16
  }

  private init(_ name: StaticString) {
    let bytes = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    self.init(bytes[0], bytes[1], bytes[2])
  }

  static let type = FieldKey("TYP")
  static let path = FieldKey("PAT")
  static let link = FieldKey("LNK")
  static let user = FieldKey("UID")
  static let group = FieldKey("GID")
  static let mode = FieldKey("MOD")
  static let modified = FieldKey("MTM")
  static let size = FieldKey("SIZ")
  static let data = FieldKey("DAT")
  static let extendedAttributes = FieldKey("XAT")
  static let accessControl = FieldKey("ACL")
  static let sha1 = FieldKey("SH1")
  static let sha256 = FieldKey("SH2")
  static let sha384 = FieldKey("SH3")
  static let sha512 = FieldKey("SH5")

  /// The letters for people; other bytes are escaped.
  var name: String {
    let bytes = [UInt8(value & 255), UInt8(value >> 8 & 255), UInt8(value >> 16 & 255)]
    return bytes.withUnsafeBytes { escapedPath($0) }
  }
}

/// The letter that tells how a field's value is stored.
enum FieldType {
  case flag
  case unsigned(byteCount: Int)
  case text
  case hash(byteCount: Int)
  case seconds
  case nanoseconds
  case blob(byteCount: Int)

  init?(_ letter: UInt8) {
    switch letter {
    case UInt8(ascii: "*"): self = .flag
    case UInt8(ascii: "1"): self = .unsigned(byteCount: 1)
    case UInt8(ascii: "2"): self = .unsigned(byteCount: 2)
    case UInt8(ascii: "4"): self = .unsigned(byteCount: 4)
    case UInt8(ascii: "8"): self = .unsigned(byteCount: 8)
    case UInt8(ascii: "P"): self = .text
    case UInt8(ascii: "F"): self = .hash(byteCount: 4)
    case UInt8(ascii: "G"): self = .hash(byteCount: 20)
    case UInt8(ascii: "H"): self = .hash(byteCount: 32)
    case UInt8(ascii: "I"): self = .hash(byteCount: 48)
    case UInt8(ascii: "J"): self = .hash(byteCount: 64)
    case UInt8(ascii: "S"): self = .seconds
    case UInt8(ascii: "T"): self = .nanoseconds
    case UInt8(ascii: "A"): self = .blob(byteCount: 2)
    case UInt8(ascii: "B"): self = .blob(byteCount: 4)
    case UInt8(ascii: "C"): self = .blob(byteCount: 8)
    default: return nil
    }
  }

  /// Bytes of the value in the header; of text, the bytes of its length.
  var fixedByteCount: Int {
    switch self {
    case .flag: 0
    case .unsigned(let count), .hash(let count), .blob(let count): count
    case .text: 2
    case .seconds: 8
    case .nanoseconds: 12
    }
  }
}
