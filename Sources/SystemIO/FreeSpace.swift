import CLinux
import Glibc

/// Room on a file system.
package enum FreeSpace {
  /// Bytes that this process may still write on the file system of `path`; nil when it cannot be told.
  package static func bytes(at path: String) -> Int64? {
    var facts = statvfs()
    guard statvfs(path, &facts) == 0 else { return nil }
    let (bytes, overflow) = UInt64(facts.f_bavail).multipliedReportingOverflow(by: UInt64(facts.f_frsize))
    return overflow ? Int64.max : Int64(clamping: bytes)
  }
}
