import Digests

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
