/// The parsed head of a request. Holds no bytes itself: its slices point into the bytes it was parsed from.
package struct RequestHead: Sendable {
  package var method: RequestMethod = .other
  package var methodName = ByteSlice.absent
  /// The path, percent-encoded as sent and starting with `/`; `*` for `OPTIONS *`; absent for CONNECT.
  package var path = ByteSlice.absent
  /// What follows the `?`, without it; absent when there was none.
  package var query = ByteSlice.absent
  /// 0 or 1. A higher minor version is treated as 1 (RFC 9110 section 2.5).
  package var minorVersion: UInt8 = 1
  /// Host and port: of an absolute-form target, else of Host (RFC 9112 section 3.2.2). May be empty; absent only in
  /// HTTP/1.0.
  package var authority = ByteSlice.absent
  /// How many of the caller's field slots are filled.
  package var fieldCount = 0
  package var framing = BodyFraming.none
  /// Whether the client wants to send another request after this one.
  package var keepAlive = true
  /// Whether the client waits for `100 Continue` before it sends its body.
  package var expectsContinue = false
  /// Bytes of the whole head, including leading empty lines and the empty line at its end.
  package var headLength = 0
  /// How many ranges are served in parts (`RequestLimits.ranges`).
  var rangeLimit = 1
  /// One bit for each `KnownField` that was sent, so that looking for an absent field costs nothing.
  var knownFields: UInt32 = 0

  init() {}
}

/// How the end of a request's body is found (RFC 9112 section 6.3).
package enum BodyFraming: Equatable, Sendable {
  /// Neither Content-Length nor Transfer-Encoding was sent: there is no body.
  case none
  /// Exactly so many bytes follow the head; 0 when the client said `Content-Length: 0`.
  case length(Int)
  /// The body is in chunks; see `ChunkedDecoder`.
  case chunked
}

/// One field line of a request: where its name and its value stand.
package struct FieldSlot: Sendable {
  /// The name as sent, in the client's letter case.
  package var name: ByteSlice
  /// The value without the white space around it; may be empty.
  package var value: ByteSlice
  /// Which of the fields the server knows this is.
  package var known: KnownField

  package init(name: ByteSlice, value: ByteSlice, known: KnownField) {
    self.name = name
    self.value = value
    self.known = known
  }
}

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
