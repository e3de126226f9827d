/// A small response whose body is in memory.
package final class Message: Sendable {
  package let status: UInt16
  /// Rendered field lines, each ending in CR LF; without Date, Content-Length and Connection, which the writer adds.
  package let fields: [UInt8]
  package let body: [UInt8]
  /// Whether the connection is closed after this response.
  package let closes: Bool

  /// The fields that `ResponseHeadWriter` alone may write, because they frame the message.
  private static let framingFields = ["date", "content-length", "connection", "transfer-encoding", "keep-alive"]

  /// Renders the field lines. Control bytes in values are dropped, fields whose name is not a token are left out, and
  /// so are those that frame the message.
  ///
  /// - Parameters:
  ///   - status: 200 to 599.
  ///   - contentType: nil for a response without Content-Type.
  package init(
    status: UInt16, contentType: String? = nil, body: [UInt8] = [], fields: [(name: String, value: String)] = [],
    closes: Bool = false
  ) {
    var lines: [UInt8] = []
    if let contentType { FieldText.append("Content-Type", contentType, to: &lines) }
    for field in fields where !Self.framingFields.contains(field.name.lowercased()) {
      FieldText.append(field.name, field.value, to: &lines)
    }
    self.status = status
    self.fields = lines
    self.body = body
    self.closes = closes
  }

  /// A response of one line of text; a line feed is added.
  package convenience init(
    status: UInt16, text: String, fields: [(name: String, value: String)] = [], closes: Bool = false
  ) {
    self.init(
      status: status, contentType: "text/plain; charset=utf-8", body: Array(text.utf8) + [0x0A], fields: fields,
      closes: closes)
  }

  /// The answer to a request that was refused; the connection is closed after it.
  package convenience init(_ fault: RequestFault) {
    self.init(status: fault.status, text: "\(fault.code): \(fault.detail)", closes: true)
  }
}

/// Renders field lines so that a value from outside cannot end its line (RFC 9110 section 5.5).
enum FieldText {
  /// The value's bytes without control bytes other than tabs.
  static func value(_ text: String) -> [UInt8] {
    text.utf8.filter { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
  }

  /// Adds one line; nothing when the name is not a token.
  static func append(_ name: String, _ text: String, to lines: inout [UInt8]) {
    guard !name.isEmpty, name.utf8.allSatisfy(Octets.isToken) else { return }
    lines += name.utf8
    lines += [0x3A, 0x20]
    lines += value(text)
    lines += [0x0D, 0x0A]
  }
}
