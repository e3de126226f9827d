/// The method of a request (RFC 9110 section 9); names are case-sensitive, so `get` is `.other`.
package enum RequestMethod: UInt8, Sendable {
  case get, head, options, put, post, patch, delete, trace, connect
  /// A valid token that is none of the above; its bytes are `RequestHead.methodName`.
  case other

  /// The name as it stands on the wire; empty for `.other`.
  package var name: StaticString {
    switch self {
    case .get: "GET"
    case .head: "HEAD"
    case .options: "OPTIONS"
    case .put: "PUT"
    case .post: "POST"
    case .patch: "PATCH"
    case .delete: "DELETE"
    case .trace: "TRACE"
    case .connect: "CONNECT"
    case .other: ""
    }
  }

  /// Recognises the method whose name these bytes are.
  init(_ bytes: UnsafePointer<UInt8>, count: Int) {
    switch count {
    case 3:
      self = Octets.equal(bytes, count, "GET") ? .get : Octets.equal(bytes, count, "PUT") ? .put : .other
    case 4:
      self = Octets.equal(bytes, count, "HEAD") ? .head : Octets.equal(bytes, count, "POST") ? .post : .other
    case 5:
      self = Octets.equal(bytes, count, "PATCH") ? .patch : Octets.equal(bytes, count, "TRACE") ? .trace : .other
    case 6:
      self = Octets.equal(bytes, count, "DELETE") ? .delete : .other
    case 7:
      self =
        Octets.equal(bytes, count, "OPTIONS") ? .options : Octets.equal(bytes, count, "CONNECT") ? .connect : .other
    default:
      self = .other
    }
  }
}
