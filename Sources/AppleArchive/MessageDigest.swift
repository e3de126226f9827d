import COpenSSL

/// A streaming digest of one of the algorithms that entry headers name.
struct MessageDigest: ~Copyable {
  /// The algorithms of the fields `SH1`, `SH2`, `SH3` and `SH5`.
  enum Algorithm: String, Sendable {
    case sha1 = "SHA-1"
    case sha256 = "SHA-256"
    case sha384 = "SHA-384"
    case sha512 = "SHA-512"

    /// Bytes of the digest.
    var byteCount: Int {
      switch self {
      case .sha1: 20
      case .sha256: 32
      case .sha384: 48
      case .sha512: 64
      }
    }

    /// Makes `context` ready for a new digest; false when OpenSSL cannot.
    fileprivate func begin(_ context: OpaquePointer) -> Bool {
      let method =
        switch self {
        case .sha1: EVP_sha1()
        case .sha256: EVP_sha256()
        case .sha384: EVP_sha384()
        case .sha512: EVP_sha512()
        }
      return EVP_DigestInit_ex(context, method, nil) == 1
    }
  }

  private let algorithm: Algorithm
  private let context: OpaquePointer
  /// An update went wrong; told by `finish`.
  private var isBroken = false

  /// Throws `digestUnavailable` when OpenSSL cannot provide the algorithm.
  init(_ algorithm: Algorithm) throws(ArchiveFailure) {
    guard let context = EVP_MD_CTX_new() else { throw .digestUnavailable(algorithm.rawValue) }
    guard algorithm.begin(context) else {
      EVP_MD_CTX_free(context)
      throw .digestUnavailable(algorithm.rawValue)
    }
    self.algorithm = algorithm
    self.context = context
  }

  deinit {
    EVP_MD_CTX_free(context)
  }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
    if EVP_DigestUpdate(context, start, bytes.count) != 1 { isBroken = true }
  }

  /// The digest's bytes; the next `update` starts a new one.
  mutating func finish() throws(ArchiveFailure) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 64)  // EVP_MAX_MD_SIZE
    guard EVP_DigestFinal_ex(context, &digest, nil) == 1, !isBroken, algorithm.begin(context) else {
      throw .digestUnavailable(algorithm.rawValue)
    }
    digest.removeSubrange(algorithm.byteCount...)
    return digest
  }
}
