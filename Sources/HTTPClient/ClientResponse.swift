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
