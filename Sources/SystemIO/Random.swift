import CLinux
import Glibc
import Values

/// `count` bytes from the kernel's random generator: getrandom(2).
package func secureRandomBytes(_ count: Int) throws(SystemFailure) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: max(count, 0))
  var filled = 0
  while filled < bytes.count {
    let got = bytes.withUnsafeMutableBytes { buffer in
      getrandom(buffer.baseAddress?.advanced(by: filled), buffer.count - filled, 0)
    }
    if got < 0 {
      let failure = SystemFailure("getrandom")
      if failure.code == EINTR { continue }
      throw failure
    }
    filled += got
  }
  return bytes
}

/// A new random UUID (RFC 9562, version 4) in its usual text form, lower case.
package func randomUUID() throws(SystemFailure) -> String {
  var bytes = try secureRandomBytes(16)
  bytes[6] = bytes[6] & 0x0f | 0x40
  bytes[8] = bytes[8] & 0x3f | 0x80
  let groups = [bytes[0..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10..<16]]
  return groups.map { hexadecimal($0) }.joined(separator: "-")
}
