/// A stretch of a request's bytes, counted from the request's first byte.
///
/// Offsets instead of pointers, so that a head stays valid when the connection's buffer moves.
package struct ByteSlice: Equatable, Sendable {
  /// Bytes between the request's first byte and the slice's.
  package var offset: Int32
  /// Length in bytes; negative only in `absent`.
  package var count: Int32

  package init(offset: Int32, count: Int32) {
    self.offset = offset
    self.count = count
  }

  /// The slice from `start` up to `end`; both lie inside a head, whose length fits `Int32`.
  init(from start: Int, to end: Int) {
    offset = Int32(truncatingIfNeeded: start)
    count = Int32(truncatingIfNeeded: end - start)
  }

  /// What was not sent at all, as opposed to sent empty.
  package static let absent = ByteSlice(offset: 0, count: -1)

  /// Whether this is `absent`.
  package var isAbsent: Bool { count < 0 }
}
