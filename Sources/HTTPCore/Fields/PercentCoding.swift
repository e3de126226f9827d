import Values

/// Percent-encoding of path segments and query parts (RFC 3986 section 2.1).
package enum PercentCoding {
  /// Whether each `%` is followed by two hexadecimal digits.
  package static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    for index in 0..<bytes.count where bytes[index] == 0x25 {
      guard index + 2 < bytes.count, hexadecimalValue(bytes[index + 1]) != nil,
        hexadecimalValue(bytes[index + 2]) != nil
      else { return false }
    }
    return true
  }

  /// The decoded bytes; nil when a `%` is not followed by two hexadecimal digits.
  package static func decode(_ bytes: some Sequence<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    var iterator = bytes.makeIterator()
    while let byte = iterator.next() {
      guard byte == 0x25 else {
        result.append(byte)
        continue
      }
      guard let high = iterator.next().flatMap(hexadecimalValue), let low = iterator.next().flatMap(hexadecimalValue)
      else { return nil }
      result.append(high << 4 | low)
    }
    return result
  }

  /// One path segment as text; nil when it is not validly encoded UTF-8, holds a NUL or a slash once decoded, or is
  /// `.` or `..`.
  package static func decodeSegment(_ bytes: some Sequence<UInt8>) -> String? {
    guard let decoded = decode(bytes), !decoded.contains(0), !decoded.contains(0x2F),
      let text = String(validating: decoded, as: UTF8.self), text != ".", text != ".."
    else { return nil }
    return text
  }

  /// One part of a query: `+` is a space, and a `%` that encodes nothing stands for itself, because no request is
  /// refused for its query.
  package static func decodeQueryPart(_ bytes: some Sequence<UInt8>) -> String {
    let part = Array(bytes)
    var result: [UInt8] = []
    var index = 0
    while index < part.count {
      if part[index] == 0x25, index + 2 < part.count, let high = hexadecimalValue(part[index + 1]),
        let low = hexadecimalValue(part[index + 2])
      {
        result.append(high << 4 | low)
        index += 3
      } else {
        result.append(part[index] == 0x2B ? 0x20 : part[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The segment with everything but unreserved characters percent-encoded, so that it is also safe in a query.
  package static func encodeSegment(_ segment: String) -> String {
    var result: [UInt8] = []
    for byte in segment.utf8 {
      switch byte {
      case 0x2D, 0x2E, 0x5F, 0x7E, 0x30...0x39, 0x41...0x5A, 0x61...0x7A: result.append(byte)
      default:
        result.append(0x25)
        appendHexadecimal(byte, to: &result, uppercase: true)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Whether a segment of the raw path is `.` or `..`, also when its dots are written `%2e`.
  package static func hasDotSegments(_ path: UnsafeRawBufferPointer) -> Bool {
    var dots = 0
    var isDotted = true
    var index = 0
    while index < path.count {
      if path[index] == 0x2F {
        if isDotted && (dots == 1 || dots == 2) { return true }
        dots = 0
        isDotted = true
      } else if path[index] == 0x2E {
        dots += 1
      } else if path[index] == 0x25, index + 2 < path.count, path[index + 1] == 0x32, path[index + 2] | 0x20 == 0x65 {
        dots += 1
        index += 2
      } else {
        isDotted = false
      }
      index += 1
    }
    return isDotted && (dots == 1 || dots == 2)
  }
}
