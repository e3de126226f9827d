/// Immutable bytes at a fixed address, which any thread may read for as long as it holds a reference.
///
/// `@unchecked Sendable`: the memory is written in `init` only, before a second reference can exist, is never changed
/// afterwards, and is freed when the last reference is gone.
package final class StaticBytes: @unchecked Sendable {
  /// The bytes; valid while this object lives.
  package let pointer: UnsafeRawBufferPointer

  /// Copies the bytes.
  package init(_ bytes: [UInt8]) {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 16)
    memory.copyBytes(from: bytes)
    pointer = UnsafeRawBufferPointer(start: memory.baseAddress, count: bytes.count)
  }

  /// Copies the text's UTF-8.
  package convenience init(_ text: String) {
    self.init(Array(text.utf8))
  }

  deinit {
    pointer.deallocate()
  }

  /// Length in bytes.
  package var count: Int { pointer.count }

  /// A copy as text, for logs and tests.
  package var text: String { String(decoding: pointer, as: UTF8.self) }
}
