import Glibc
import SystemIO

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

/// What a request carries.
package enum RequestBody {
  case none
  case bytes([UInt8])
  /// Exactly `length` bytes, read piece by piece, so that memory stays bounded. `read` fills the buffer with bytes
  /// from the given offset (0 is the body's first) and returns how many; 0 says that there are no more. It may be
  /// asked for the same bytes again.
  case source(
    length: Int64, read: (_ offset: Int64, _ buffer: UnsafeMutableRawBufferPointer) throws(SystemFailure) -> Int)

  /// `length` bytes of an open file from `offset`. The descriptor must stay open; its position is not moved.
  package static func file(_ descriptor: Int32, path: String, offset: Int64, length: Int64) -> RequestBody {
    .source(length: length) { position, buffer throws(SystemFailure) in
      let wanted = Int(clamping: min(Int64(buffer.count), length - position))
      while true {
        let count = pread(descriptor, buffer.baseAddress, wanted, off_t(offset + position))
        if count >= 0 { return count }
        if errno != EINTR { throw SystemFailure("read", path) }
      }
    }
  }

  /// Bytes; nil when there is no body at all.
  package var length: Int64? {
    switch self {
    case .none: nil
    case .bytes(let bytes): Int64(bytes.count)
    case .source(let length, _): length
    }
  }
}

/// The head of an answer.
package struct ClientResponse: Sendable {
  package let status: Int
  /// In the order they came, names as they were sent.
  package let fields: [(name: String, value: String)]
  /// Where the answer came from, after redirects.
  package let url: HTTPSURL

  package init(status: Int, fields: [(name: String, value: String)], url: HTTPSURL) {
    self.status = status
    self.fields = fields
    self.url = url
  }

  /// The first field of that name, in any letter case.
  package subscript(_ name: String) -> String? {
    let wanted = name.lowercased()
    return fields.first { $0.name.lowercased() == wanted }?.value
  }

  /// A status with which a Location says where the answer is (RFC 9110 section 15.4).
  var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status) }

  package var isSuccess: Bool { (200...299).contains(status) }
}
