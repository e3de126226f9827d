/// How the end of a response's body is found.
package enum ResponseFraming: Equatable, Sendable {
  /// There is no body, whatever the fields say.
  case none
  /// Exactly so many bytes.
  case length(Int)
  /// Chunks, for `ChunkedDecoder`.
  case chunked
  /// Everything until the server closes the connection.
  case untilClose
}
