/// How the end of a request's body is found (RFC 9112 section 6.3).
package enum BodyFraming: Equatable, Sendable {
  /// Neither Content-Length nor Transfer-Encoding was sent: there is no body.
  case none
  /// Exactly so many bytes follow the head; 0 when the client said `Content-Length: 0`.
  case length(Int)
  /// The body is in chunks; see `ChunkedDecoder`.
  case chunked
}
