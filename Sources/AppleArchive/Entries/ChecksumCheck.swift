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
