/// A request, without the parts that the client fills in: Host, User-Agent, Content-Length.
package struct ClientRequest {
  package var method: String
  package var url: HTTPSURL
  package var fields: [(name: String, value: String)]
  package var body: RequestBody
  /// How many redirects are followed; GET and HEAD only. An Authorization field does not go to another origin.
  package var redirectLimit = 0
  /// Called with the number of body bytes that have been sent so far; starts again when the request has to.
  package var onProgress: ((Int64) -> Void)?

  package init(
    _ method: String, _ url: HTTPSURL, fields: [(name: String, value: String)] = [], body: RequestBody = .none
  ) {
    self.method = method
    self.url = url
    self.fields = fields
    self.body = body
  }

  /// Whether doing it twice is the same as once (RFC 9110 section 9.2.2).
  var isIdempotent: Bool { ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"].contains(method) }

  /// The request line and fields, ready to be sent. Throws when a field would break out of its line.
  func head(userAgent: String) throws(HTTPClientFailure) -> [UInt8] {
    var text = "\(method) \(url.target) HTTP/1.1\r\nHost: \(url.authority)\r\nUser-Agent: \(userAgent)\r\n"
    for field in fields {
      guard field.name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: ":") }),
        field.value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 })
      else { throw .url(url.description, reason: "the field \(field.name) of the request holds a control character") }
      text += "\(field.name): \(field.value)\r\n"
    }
    if let length = body.length { text += "Content-Length: \(length)\r\n" }
    return Array((text + "\r\n").utf8)
  }
}
