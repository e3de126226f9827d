/// A request with its body, copied out of the connection's buffer so that a worker can take its time.
package struct OwnedRequest: Sendable {
  package var method: RequestMethod
  /// The method as sent.
  package var methodName: String
  /// The path, percent-encoded as sent; empty for CONNECT.
  package var path: String
  /// What follows the `?`; nil when there was none.
  package var query: String?
  /// Host and port as sent; empty when there was none.
  package var authority: String
  /// The fields in the order sent; bytes that are not UTF-8 are replaced by U+FFFD.
  package var fields: [(name: String, value: String)]
  package var body: [UInt8]
  /// The client's address as text.
  package var remoteAddress: String

  /// Copies a request that is still in the connection's buffer.
  package init(_ view: RequestView, body: [UInt8], remoteAddress: String) {
    func text(_ slice: ByteSlice) -> String { String(decoding: view.bytes(slice), as: UTF8.self) }
    method = view.head.method
    methodName = text(view.head.methodName)
    path = text(view.head.path)
    query = view.head.query.isAbsent ? nil : text(view.head.query)
    authority = text(view.head.authority)
    fields = (0..<view.head.fieldCount).map { (text(view.fields[$0].name), text(view.fields[$0].value)) }
    self.body = body
    self.remoteAddress = remoteAddress
  }

  /// Makes a request from its parts, for callers without a connection.
  package init(
    method: RequestMethod, path: String, query: String? = nil, authority: String = "",
    fields: [(name: String, value: String)] = [], body: [UInt8] = [], remoteAddress: String = ""
  ) {
    self.method = method
    methodName = "\(method.name)"
    self.path = path
    self.query = query
    self.authority = authority
    self.fields = fields
    self.body = body
    self.remoteAddress = remoteAddress
  }

  /// The value of the first field of that name, in any letter case.
  package func field(_ name: String) -> String? {
    let wanted = name.lowercased()
    return fields.first { $0.name.lowercased() == wanted }?.value
  }

  /// The path's segments, decoded: `/a/b%20c` gives `a` and `b c`, `/` gives none, and a slash at the end an empty last
  /// one. Nil when the path has a segment that could be taken for something else: invalid encoding or UTF-8, a NUL, an
  /// encoded slash, `.` or `..`.
  package var decodedPathSegments: [String]? {
    guard path.utf8.first == 0x2F else { return nil }
    let rest = path.utf8.dropFirst()
    if rest.isEmpty { return [] }
    var segments: [String] = []
    for part in rest.split(separator: 0x2F, omittingEmptySubsequences: false) {
      guard let segment = PercentCoding.decodeSegment(part) else { return nil }
      segments.append(segment)
    }
    return segments
  }

  /// Names and values of the query in the order sent, decoded; a name without `=` has an empty value.
  package var queryItems: [(String, String)] {
    (query ?? "").utf8.split(separator: 0x26).map { item in
      let parts = item.split(separator: 0x3D, maxSplits: 1, omittingEmptySubsequences: false)
      return (
        PercentCoding.decodeQueryPart(parts.first ?? item),
        parts.count > 1 ? PercentCoding.decodeQueryPart(parts[1]) : ""
      )
    }
  }
}
