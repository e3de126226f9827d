/// Why a request is refused. After any of these the connection is closed, because where the next request would
/// begin is no longer certain.
package struct RequestFault: Error, Equatable, Sendable {
  /// The status to answer with: 400, 414, 417, 431, 501 or 505.
  package let status: UInt16
  /// A stable name in capitals, for logs and error bodies.
  package let code: StaticString
  /// A sentence for the client: what was wrong and what was expected.
  package let detail: StaticString

  package init(status: UInt16, code: StaticString, detail: StaticString) {
    self.status = status
    self.code = code
    self.detail = detail
  }

  /// The sentence to show to a person.
  package var sentence: String { "\(detail)" }

  package static func == (left: RequestFault, right: RequestFault) -> Bool {
    left.status == right.status && "\(left.code)" == "\(right.code)"
  }
}

extension RequestFault {
  static let bareLineEnd = RequestFault(
    status: 400, code: "BARE_LINE_END", detail: "A line ends in a lone CR or LF; end each line of the head with CR LF.")
  static let controlByte = RequestFault(
    status: 400, code: "CONTROL_BYTE", detail: "The head holds a control byte; is this plain HTTP and not TLS?")
  static let emptyLines = RequestFault(
    status: 400, code: "EMPTY_LINES", detail: "More than two empty lines stand before the request line.")
  static let targetTooLong = RequestFault(
    status: 414, code: "TARGET_TOO_LONG", detail: "The request target is longer than the server accepts.")
  static let headTooLong = RequestFault(
    status: 431, code: "HEAD_TOO_LONG", detail: "The request's fields are longer than the server accepts.")
  static let tooManyFields = RequestFault(
    status: 431, code: "TOO_MANY_FIELDS", detail: "The request has more fields than the server accepts.")
  static let malformedRequestLine = RequestFault(
    status: 400, code: "MALFORMED_REQUEST_LINE",
    detail: "The request line must be a method, a target and a version with one space between them.")
  static let malformedMethod = RequestFault(
    status: 400, code: "MALFORMED_METHOD", detail: "The method holds a byte that no method may hold.")
  static let malformedTarget = RequestFault(
    status: 400, code: "MALFORMED_TARGET",
    detail: "The request target must be a path, an absolute http or https URL, or * for OPTIONS.")
  static let targetByte = RequestFault(
    status: 400, code: "TARGET_BYTE",
    detail: "The request target holds a fragment or a byte that must be percent-encoded.")
  static let percentEncoding = RequestFault(
    status: 400, code: "PERCENT_ENCODING", detail: "A % in the path is not followed by two hexadecimal digits.")
  static let malformedVersion = RequestFault(
    status: 400, code: "MALFORMED_VERSION", detail: "The request line must end in HTTP/1.1 or HTTP/1.0.")
  static let unsupportedVersion = RequestFault(
    status: 505, code: "UNSUPPORTED_VERSION", detail: "The server speaks HTTP/1.1 and HTTP/1.0 only.")
  static let foldedLine = RequestFault(
    status: 400, code: "FOLDED_LINE", detail: "A field line begins with white space; folded fields are not accepted.")
  static let malformedField = RequestFault(
    status: 400, code: "MALFORMED_FIELD",
    detail: "A field line must be a name, directly followed by a colon, and a value.")
  static let missingHost = RequestFault(
    status: 400, code: "MISSING_HOST", detail: "An HTTP/1.1 request must have a Host field.")
  static let severalHosts = RequestFault(
    status: 400, code: "SEVERAL_HOSTS", detail: "The request has more than one Host field.")
  static let malformedHost = RequestFault(
    status: 400, code: "MALFORMED_HOST", detail: "The host must be a name or an address, with an optional port.")
  static let malformedLength = RequestFault(
    status: 400, code: "MALFORMED_LENGTH", detail: "Content-Length must be one decimal number.")
  static let conflictingLengths = RequestFault(
    status: 400, code: "CONFLICTING_LENGTHS", detail: "The request has several Content-Length fields that differ.")
  static let lengthAndEncoding = RequestFault(
    status: 400, code: "LENGTH_AND_ENCODING", detail: "The request has both Content-Length and Transfer-Encoding.")
  static let encodingInOldVersion = RequestFault(
    status: 400, code: "ENCODING_IN_HTTP_1_0", detail: "Transfer-Encoding does not exist in HTTP/1.0.")
  static let malformedEncoding = RequestFault(
    status: 400, code: "MALFORMED_ENCODING", detail: "The last transfer coding of a request must be chunked, once.")
  static let unsupportedEncoding = RequestFault(
    status: 501, code: "UNSUPPORTED_ENCODING", detail: "The only transfer coding the server understands is chunked.")
  static let unknownExpectation = RequestFault(
    status: 417, code: "UNKNOWN_EXPECTATION", detail: "The only expectation the server understands is 100-continue.")
  static let malformedChunk = RequestFault(
    status: 400, code: "MALFORMED_CHUNK", detail: "The chunked body does not follow RFC 9112 section 7.1.")
  static let chunkTooLarge = RequestFault(
    status: 400, code: "CHUNK_TOO_LARGE", detail: "A chunk's size is beyond any number the server can count to.")
  static let chunkOverhead = RequestFault(
    status: 400, code: "CHUNK_OVERHEAD", detail: "The chunked body carries too many bytes of extensions or trailers.")
}
