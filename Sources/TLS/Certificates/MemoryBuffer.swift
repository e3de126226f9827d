import COpenSSL

/// An OpenSSL memory BIO: how PEM text goes in and out of its functions.
final class MemoryBuffer {
  let bio: OpaquePointer

  /// A buffer that holds a copy of `bytes`.
  init(_ bytes: [UInt8] = []) throws(TLSFailure) {
    guard let bio = BIO_new(BIO_s_mem()) else { throw .fromQueue(during: "making a memory buffer") }
    self.bio = bio
    guard !bytes.isEmpty else { return }
    var written = 0
    guard BIO_write_ex(bio, bytes, bytes.count, &written) == 1, written == bytes.count else {
      throw .fromQueue(during: "filling a memory buffer")
    }
  }

  deinit { BIO_free(bio) }

  /// A copy of what the buffer holds.
  var bytes: [UInt8] {
    var start: UnsafeMutablePointer<CChar>?
    let count = packhouse_BIO_get_mem_data(bio, &start)
    guard let start, count > 0 else { return [] }
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }
}
