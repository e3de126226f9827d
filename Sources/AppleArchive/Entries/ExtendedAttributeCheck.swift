/// Checks an `XAT` blob as it passes by: records of a u32 length that counts itself, a name that is not empty, a zero
/// byte and a value.
struct ExtendedAttributeCheck {
  private var lengthBytes = 0
  private var length: UInt32 = 0
  /// Bytes of the record that are still to come.
  private var left = 0
  private var nameBytes = 0
  private var isInName = false

  /// False once the blob cannot be valid any more.
  mutating func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var offset = 0
    while offset < bytes.count {
      if left == 0 {
        length |= UInt32(bytes[offset]) << UInt32(8 * lengthBytes)
        lengthBytes += 1
        offset += 1
        guard lengthBytes == 4 else { continue }
        // The length itself, one byte of name, the zero byte.
        guard length >= 6 else { return false }
        left = Int(length) - 4
        lengthBytes = 0
        length = 0
        nameBytes = 0
        isInName = true
      } else if isInName {
        if bytes[offset] == 0 {
          guard nameBytes > 0 else { return false }
          isInName = false
        }
        nameBytes += 1
        offset += 1
        left -= 1
        if left == 0, isInName { return false }
      } else {
        let step = min(left, bytes.count - offset)
        offset += step
        left -= step
      }
    }
    return true
  }

  /// Whether the blob may end here.
  var isComplete: Bool { left == 0 && lengthBytes == 0 }
}
