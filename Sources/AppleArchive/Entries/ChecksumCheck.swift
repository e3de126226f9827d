import Digests

/// Computes the checksums that an entry's header names, while its data pass by.
struct ChecksumCheck {
  private let checks: [(expected: EntryHeader.Checksum, digest: Digest)]

  init(_ expected: [EntryHeader.Checksum]) {
    checks = expected.map { ($0, Digest($0.algorithm)) }
  }

  func update(_ bytes: UnsafeRawBufferPointer) {
    for check in checks { check.digest.update(bytes) }
  }

  /// The first algorithm whose digest is not the expected one, once all data have passed.
  func mismatch() throws(ArchiveFailure) -> Digest.Algorithm? {
    for check in checks where try check.digest.checked() != check.expected.value { return check.expected.algorithm }
    return nil
  }
}

extension Digest {
  /// The digest's bytes; the next `update` starts a new one.
  ///
  /// Throws `digestUnavailable` when OpenSSL could not compute it.
  func checked() throws(ArchiveFailure) -> [UInt8] {
    let bytes = finish()
    guard !bytes.isEmpty else { throw .digestUnavailable(algorithm.rawValue) }
    return bytes
  }
}

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
