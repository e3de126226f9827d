import COpenSSL
import Values

/// A hash over bytes that come piece by piece, computed by OpenSSL's EVP (in hardware where there is any).
package final class Digest {
  package enum Algorithm: String, Sendable {
    case sha1 = "SHA-1"
    case sha256 = "SHA-256"
    case sha384 = "SHA-384"
    case sha512 = "SHA-512"

    /// The digest's length in bytes.
    package var byteCount: Int {
      switch self {
      case .sha1: 20
      case .sha256: 32
      case .sha384: 48
      case .sha512: 64
      }
    }
  }

  package let algorithm: Algorithm
  private let context: OpaquePointer?
  /// A step went wrong, which `finish` tells.
  private var isBroken = false

  package init(_ algorithm: Algorithm = .sha256) {
    self.algorithm = algorithm
    context = EVP_MD_CTX_new()
    begin()
  }

  deinit { EVP_MD_CTX_free(context) }

  /// Adds the next bytes.
  package func update(_ bytes: UnsafeRawBufferPointer) {
    guard let context, let start = bytes.baseAddress else { return }
    if EVP_DigestUpdate(context, start, bytes.count) != 1 { isBroken = true }
  }

  /// The digest; the next `update` starts a new one. Empty, which equals no digest, when OpenSSL cannot provide the
  /// algorithm or has no memory.
  package func finish() -> [UInt8] {
    guard let context, !isBroken else { return [] }
    var digest = [UInt8](repeating: 0, count: algorithm.byteCount)
    guard EVP_DigestFinal_ex(context, &digest, nil) == 1 else { return [] }
    begin()
    return digest
  }

  private func begin() {
    let kind =
      switch algorithm {
      case .sha1: EVP_sha1()
      case .sha256: EVP_sha256()
      case .sha384: EVP_sha384()
      case .sha512: EVP_sha512()
      }
    isBroken = context == nil || EVP_DigestInit_ex(context, kind, nil) != 1
  }

  /// The digest as lower-case hexadecimal digits; empty where `finish` is.
  package func finishText() -> String { hexadecimal(finish()) }

  /// The SHA-256 of `bytes`.
  package static func sha256(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    let digest = Digest(.sha256)
    digest.update(bytes)
    return digest.finish()
  }

  /// The SHA-256 of `bytes`.
  package static func sha256(_ bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBytes { sha256($0) } }

  /// The SHA-256 of `bytes` as 64 lower-case hexadecimal digits.
  package static func sha256Text(_ bytes: [UInt8]) -> String { hexadecimal(sha256(bytes)) }
}
