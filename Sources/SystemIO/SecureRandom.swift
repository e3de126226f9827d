import CLinux
import Glibc

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
