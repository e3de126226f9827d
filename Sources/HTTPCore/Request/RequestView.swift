/// A request in the connection's buffer, valid during one call only: it must not be kept, for the buffer moves on.
package struct RequestView {
  /// The request's first byte.
  package let base: UnsafeRawPointer
  package let head: RequestHead
  /// `head.fieldCount` slots.
  package let fields: UnsafePointer<FieldSlot>
  /// Who asks, as far as the connection knows.
  package var client = ClientAddress.unknown

  package init(base: UnsafeRawPointer, head: RequestHead, fields: UnsafePointer<FieldSlot>) {
    self.base = base
    self.head = head
    self.fields = fields
  }

  /// The bytes of a slice of this request; none when it is absent.
  package func bytes(_ slice: ByteSlice) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base + Int(slice.offset), count: Int(max(slice.count, 0)))
  }

  /// The value of the first such field, or nil when there is none.
  package func first(_ field: KnownField) -> UnsafeRawBufferPointer? {
    guard head.knownFields & field.bit != 0 else { return nil }
    for index in 0..<head.fieldCount where fields[index].known == field { return bytes(fields[index].value) }
    return nil
  }

  /// How many such fields there are; each `.other` field counts for `.other`.
  package func count(of field: KnownField) -> Int {
    guard field == .other || head.knownFields & field.bit != 0 else { return 0 }
    var count = 0
    for index in 0..<head.fieldCount where fields[index].known == field { count += 1 }
    return count
  }

  /// The value of the only such field; nil when there is none or there are several.
  func only(_ field: KnownField) -> UnsafeRawBufferPointer? {
    count(of: field) == 1 ? first(field) : nil
  }

  /// The path, percent-encoded as sent.
  package var path: UnsafeRawBufferPointer { bytes(head.path) }
  /// The query without its `?`; empty also when there is none.
  package var query: UnsafeRawBufferPointer { bytes(head.query) }
  /// Host and port as sent.
  package var authority: UnsafeRawBufferPointer { bytes(head.authority) }

  /// Parses a request that is wholly in memory and shows it to `body`; nil when it is refused or incomplete.
  package static func parsing<Result>(
    _ request: [UInt8], limits: RequestLimits = RequestLimits(), _ body: (RequestView) -> Result
  ) -> Result? {
    withUnsafeTemporaryAllocation(of: FieldSlot.self, capacity: limits.fields) { slots in
      request.withUnsafeBytes { bytes in
        var parser = RequestParser(limits: limits)
        guard case .complete(let head) = parser.parse(bytes, fields: slots),
          let base = bytes.baseAddress, let fields = slots.baseAddress
        else { return nil }
        return body(RequestView(base: base, head: head, fields: UnsafePointer(fields)))
      }
    }
  }
}

/// A client's address as a number of 128 bits: IPv6, or IPv4 in its mapped form (`::ffff:0:0/96`).
package struct ClientAddress: Equatable, Sendable {
  /// The upper and the lower half.
  package let high: UInt64
  package let low: UInt64

  package static let unknown = ClientAddress(high: 0, low: 0)

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }
}
