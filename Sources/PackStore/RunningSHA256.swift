import COpenSSL
import SystemIO

/// A SHA-256 over bytes that come piece by piece.
final class RunningSHA256 {
  private let context: OpaquePointer?

  init() {
    context = EVP_MD_CTX_new()
    if let context { EVP_DigestInit_ex(context, EVP_sha256(), nil) }
  }

  deinit { EVP_MD_CTX_free(context) }

  func update(_ bytes: UnsafeRawBufferPointer) {
    guard let context, let start = bytes.baseAddress else { return }
    EVP_DigestUpdate(context, start, bytes.count)
  }

  /// The digest as hexadecimal digits; ends the run. Empty when OpenSSL had no memory.
  func finish() -> String {
    guard let context else { return "" }
    var digest = [UInt8](repeating: 0, count: 32)
    return EVP_DigestFinal_ex(context, &digest, nil) == 1 ? hexadecimal(digest) : ""
  }
}
