import CLinux
import Glibc

/// The whole of the file at `path`.
///
/// - Parameter limit: the largest length in bytes that is accepted; a longer file throws `EFBIG`, so that a
///   wrong path cannot fill the memory.
package func readFile(_ path: String, limit: Int) throws(SystemFailure) -> [UInt8] {
  let file = try FileDescriptor.open(path, O_RDONLY)
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: min(max(limit, 1), 65536))
  while true {
    var failure: SystemFailure?
    let count = chunk.withUnsafeMutableBytes { buffer in
      do throws(SystemFailure) {
        return try file.readAll(into: buffer, at: Int64(bytes.count), subject: path)
      } catch {
        failure = error
        return 0
      }
    }
    if let failure { throw failure }
    if bytes.count + count > limit { throw SystemFailure("read", path, code: EFBIG) }
    bytes += chunk[..<count]
    if count < chunk.count { return bytes }
  }
}
