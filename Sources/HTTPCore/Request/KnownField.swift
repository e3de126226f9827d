/// The request fields that the server itself looks at; any other one is found by its name.
package enum KnownField: UInt8, Sendable {
  case host, connection, contentLength, transferEncoding, expect
  case range, ifRange, ifMatch, ifNoneMatch, ifModifiedSince, ifUnmodifiedSince
  case acceptEncoding, authorization, contentType, userAgent, idempotencyKey, forwardedFor
  case clientKey
  case other

  /// Its bit in `RequestHead.knownFields`.
  var bit: UInt32 { 1 << UInt32(rawValue) }

  /// Recognises a field name in any letter case; the bytes must already be known to be a token.
  init(_ name: UnsafePointer<UInt8>, count: Int) {
    switch count {
    case 4: self = Octets.named(name, "host") ? .host : .other
    case 5: self = Octets.named(name, "range") ? .range : .other
    case 6: self = Octets.named(name, "expect") ? .expect : .other
    case 8:
      self = Octets.named(name, "if-range") ? .ifRange : Octets.named(name, "if-match") ? .ifMatch : .other
    case 10:
      self = Octets.named(name, "connection") ? .connection : Octets.named(name, "user-agent") ? .userAgent : .other
    case 12: self = Octets.named(name, "content-type") ? .contentType : .other
    case 13:
      self =
        Octets.named(name, "if-none-match")
        ? .ifNoneMatch : Octets.named(name, "authorization") ? .authorization : .other
    case 14: self = Octets.named(name, "content-length") ? .contentLength : .other
    case 15:
      self =
        Octets.named(name, "accept-encoding")
        ? .acceptEncoding
        : Octets.named(name, "idempotency-key")
          ? .idempotencyKey : Octets.named(name, "x-forwarded-for") ? .forwardedFor : .other
    case 17:
      self =
        Octets.named(name, "if-modified-since")
        ? .ifModifiedSince : Octets.named(name, "transfer-encoding") ? .transferEncoding : .other
    case 19: self = Octets.named(name, "if-unmodified-since") ? .ifUnmodifiedSince : .other
    case 20: self = Octets.named(name, "packhouse-client-key") ? .clientKey : .other
    default: self = .other
    }
  }
}
