import HTTPCore

/// Memory that a loop uses for one connection after the other.
struct LoopBuffers: ~Copyable {
  /// Bytes read from a socket at once. Their plain text is never longer.
  static let receiveSize = 64 * 1024

  let ciphertext = UnsafeMutableRawBufferPointer.allocate(byteCount: receiveSize, alignment: 64)
  let plaintext = UnsafeMutableRawBufferPointer.allocate(byteCount: 4 * receiveSize, alignment: 64)
  /// A head, and behind it as much of a body as one turn may send.
  let outgoing = UnsafeMutableRawBufferPointer.allocate(byteCount: ServerLoop.loneTurn + 16_384, alignment: 64)
  /// Where the parser puts a request's fields.
  let fields: UnsafeMutableBufferPointer<FieldSlot>

  init(fields count: Int) { fields = .allocate(capacity: count) }

  deinit {
    ciphertext.deallocate()
    plaintext.deallocate()
    outgoing.deallocate()
    fields.deallocate()
  }
}
