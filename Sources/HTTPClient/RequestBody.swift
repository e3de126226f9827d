import Glibc
import SystemIO

/// What a request carries.
package enum RequestBody {
  case none
  case bytes([UInt8])
  /// Exactly `length` bytes, read piece by piece, so that memory stays bounded. `read` fills the buffer with bytes
  /// from the given offset (0 is the body's first) and returns how many; 0 says that there are no more. It may be
  /// asked for the same bytes again.
  case source(
    length: Int64, read: (_ offset: Int64, _ buffer: UnsafeMutableRawBufferPointer) throws(SystemFailure) -> Int)

  /// `length` bytes of an open file from `offset`. The descriptor must stay open; its position is not moved.
  package static func file(_ descriptor: Int32, path: String, offset: Int64, length: Int64) -> RequestBody {
    .source(length: length) { position, buffer throws(SystemFailure) in
      let wanted = Int(clamping: min(Int64(buffer.count), length - position))
      while true {
        let count = pread(descriptor, buffer.baseAddress, wanted, off_t(offset + position))
        if count >= 0 { return count }
        if errno != EINTR { throw SystemFailure("read", path) }
      }
    }
  }

  /// Bytes; nil when there is no body at all.
  package var length: Int64? {
    switch self {
    case .none: nil
    case .bytes(let bytes): Int64(bytes.count)
    case .source(let length, _): length
    }
  }
}
