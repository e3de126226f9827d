/// Reads binary property lists (`bplist00`): objects, a table of their offsets, a trailer of 32 bytes.
struct BinaryPropertyListParser {
  private let bytes: [UInt8]
  private let limits: PropertyListLimits
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  private let table: Int
  private var left: Int

  static func parse(_ bytes: [UInt8], limits: PropertyListLimits) throws(PropertyListFailure) -> PropertyList {
    guard bytes.starts(with: Array("bplist0".utf8)) else {
      throw PropertyListFailure("it is a binary property list of a version that is not known, expected bplist00")
    }
    guard bytes.count >= 8 + 1 + 32 else { throw truncated }
    let trailer = bytes.count - 32
    let offsetSize = Int(bytes[trailer + 6])
    let referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = number(bytes, trailer + 8, 8), let top = number(bytes, trailer + 16, 8),
      let table = number(bytes, trailer + 24, 8), count > 0, top < count, table >= 8, table < trailer,
      count <= (trailer - table) / offsetSize
    else { throw PropertyListFailure("the trailer of the binary property list is damaged") }
    var parser = BinaryPropertyListParser(
      bytes: bytes, limits: limits, offsetSize: offsetSize, referenceSize: referenceSize, count: count, table: table,
      left: limits.values)
    return try parser.object(top, depth: 0)
  }

  private static let truncated = PropertyListFailure("the binary property list is cut short")

  /// A big-endian number of `size` bytes; nil beyond the bytes or `Int.max`.
  private static func number(_ bytes: [UInt8], _ offset: Int, _ size: Int) -> Int? {
    guard offset >= 0, size > 0, size <= 8, offset <= bytes.count - size else { return nil }
    return Int(exactly: bytes[offset..<(offset + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  private func number(_ offset: Int, _ size: Int) throws(PropertyListFailure) -> Int {
    guard let number = Self.number(bytes, offset, size) else { throw Self.truncated }
    return number
  }

  private func slice(_ offset: Int, _ size: Int) throws(PropertyListFailure) -> ArraySlice<UInt8> {
    guard size >= 0, offset <= table, size <= table - offset else { throw Self.truncated }
    return bytes[offset..<(offset + size)]
  }

  private mutating func object(_ reference: Int, depth: Int) throws(PropertyListFailure) -> PropertyList {
    guard left > 0 else { throw PropertyListFailure("it has more than \(limits.values) values") }
    left -= 1
    guard reference < count else {
      throw PropertyListFailure("the binary property list names a value that is not there")
    }
    let offset = try number(table + reference * offsetSize, offsetSize)
    guard offset >= 8, offset < table else { throw Self.truncated }
    let marker = bytes[offset]
    let low = Int(marker & 0x0F)
    switch marker >> 4 {
    case 0x0 where low == 8 || low == 9: return .bool(low == 9)
    case 0x1 where low <= 4: return .integer(try integer(try slice(offset + 1, 1 << low)))
    case 0x2 where low == 2:
      return .real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits(try slice(offset + 1, 4))))))
    case 0x2 where low == 3: return .real(Double(bitPattern: bits(try slice(offset + 1, 8))))
    case 0x3 where low == 3: return .date(Double(bitPattern: bits(try slice(offset + 1, 8))))
    case 0x4:
      let (length, start) = try length(low, offset)
      return .data(Array(try slice(start, length)))
    case 0x5:
      let (length, start) = try length(low, offset)
      return .string(String(decoding: try slice(start, length), as: UTF8.self))
    case 0x6:
      let (length, start) = try length(low, offset)
      guard length <= bytes.count / 2 else { throw Self.truncated }
      let units = Array(try slice(start, length * 2))
      let text = (0..<length).map { UInt16(units[$0 * 2]) << 8 | UInt16(units[$0 * 2 + 1]) }
      return .string(String(decoding: text, as: UTF16.self))
    case 0xA, 0xC: return try list(low, offset, depth: depth)
    case 0xD: return try dictionary(low, offset, depth: depth)
    default:
      throw PropertyListFailure("the binary property list has a value of the unknown kind \(marker)")
    }
  }

  private func bits(_ slice: ArraySlice<UInt8>) -> UInt64 { slice.reduce(0) { $0 << 8 | UInt64($1) } }

  /// Numbers of up to four bytes have no sign; those of sixteen must fit into eight.
  private func integer(_ slice: ArraySlice<UInt8>) throws(PropertyListFailure) -> Int64 {
    let low = Int64(bitPattern: bits(slice.suffix(8)))
    guard slice.count > 8 else { return low }
    guard bits(slice.prefix(8)) == (low < 0 ? UInt64.max : 0) else {
      throw PropertyListFailure("the binary property list has an integer of more than 64 bits")
    }
    return low
  }

  /// How long a value is, and where its content begins; 15 in the marker means that an integer follows.
  private func length(_ low: Int, _ offset: Int) throws(PropertyListFailure) -> (length: Int, start: Int) {
    guard low == 0xF else { return (low, offset + 1) }
    let marker = try slice(offset + 1, 1).reduce(0) { Int($0) + Int($1) }
    guard marker >> 4 == 1, marker & 0xF <= 3 else { throw Self.truncated }
    let size = 1 << (marker & 0xF)
    return (try number(offset + 2, size), offset + 2 + size)
  }

  private func references(_ start: Int, _ length: Int) throws(PropertyListFailure) -> [Int] {
    guard length <= bytes.count / referenceSize, start <= table, length * referenceSize <= table - start else {
      throw Self.truncated
    }
    var found: [Int] = []
    for index in 0..<length { found.append(try number(start + index * referenceSize, referenceSize)) }
    return found
  }

  private mutating func list(_ low: Int, _ offset: Int, depth: Int) throws(PropertyListFailure) -> PropertyList {
    try deeper(depth)
    let (length, start) = try length(low, offset)
    guard length <= left else { throw PropertyListFailure("it has more than \(limits.values) values") }
    var elements: [PropertyList] = []
    for reference in try references(start, length) { elements.append(try object(reference, depth: depth + 1)) }
    return .array(elements)
  }

  private mutating func dictionary(_ low: Int, _ offset: Int, depth: Int) throws(PropertyListFailure) -> PropertyList {
    try deeper(depth)
    let (length, start) = try length(low, offset)
    guard length <= left / 2 else { throw PropertyListFailure("it has more than \(limits.values) values") }
    let keys = try references(start, length)
    let values = try references(start + length * referenceSize, length)
    var members = PropertyDictionary()
    for (key, value) in zip(keys, values) {
      guard case .string(let name) = try object(key, depth: depth + 1) else {
        throw PropertyListFailure("the binary property list has a key that is not a string")
      }
      guard members.append(name, try object(value, depth: depth + 1)) else {
        throw PropertyListFailure("the key \"\(name)\" appears twice in one dictionary")
      }
    }
    return .dictionary(members)
  }

  private func deeper(_ depth: Int) throws(PropertyListFailure) {
    guard depth < limits.depth else { throw PropertyListFailure("it is nested deeper than \(limits.depth) levels") }
  }
}
