/// Computes the checksums that an entry's header names, while its data pass by.
struct ChecksumCheck: ~Copyable {
  private let expected: [EntryHeader.Checksum]
  private var sha1: MessageDigest?
  private var sha256: MessageDigest?
  private var sha384: MessageDigest?
  private var sha512: MessageDigest?

  init(_ expected: [EntryHeader.Checksum]) throws(ArchiveFailure) {
    self.expected = expected
    sha1 = nil
    sha256 = nil
    sha384 = nil
    sha512 = nil
    for checksum in expected {
      switch checksum.algorithm {
      case .sha1: sha1 = try MessageDigest(.sha1)
      case .sha256: sha256 = try MessageDigest(.sha256)
      case .sha384: sha384 = try MessageDigest(.sha384)
      case .sha512: sha512 = try MessageDigest(.sha512)
      }
    }
  }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    sha1?.update(bytes)
    sha256?.update(bytes)
    sha384?.update(bytes)
    sha512?.update(bytes)
  }

  /// The first algorithm whose digest is not the expected one, once all data have passed.
  mutating func mismatch() throws(ArchiveFailure) -> MessageDigest.Algorithm? {
    for checksum in expected {
      let digest =
        switch checksum.algorithm {
        case .sha1: try sha1?.finish()
        case .sha256: try sha256?.finish()
        case .sha384: try sha384?.finish()
        case .sha512: try sha512?.finish()
        }
      if digest != checksum.value { return checksum.algorithm }
    }
    return nil
  }
}
