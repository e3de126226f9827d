import COpenSSL
import SystemIO

/// The SHA-256 of `bytes`: 32 bytes.
func sha256(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
  var digest = [UInt8](repeating: 0, count: 32)
  // One call without a context cannot fail but for want of memory, and then the digest stays zero and
  // matches nothing.
  _ = SHA256(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, &digest)
  return digest
}

/// The SHA-256 of `bytes` as 64 lower-case hexadecimal digits.
func sha256Text(_ bytes: [UInt8]) -> String { hexadecimal(bytes.withUnsafeBytes { sha256($0) }) }
