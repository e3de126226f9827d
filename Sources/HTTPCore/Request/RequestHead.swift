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
