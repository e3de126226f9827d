/// Parses the head of one request at a time (RFC 9112), strictly: whatever two parsers could read in two ways is
/// refused with 400, because that is how requests are smuggled.
///
/// Looking for the head's end is separate from reading it: the first remembers its place, so that bytes arriving one
/// by one cost no more than bytes arriving at once, and the second sees only complete heads. Allocates nothing.
package struct RequestParser {
  private let limits: RequestLimits
  private var scanner = HeadScanner()

  package init(limits: RequestLimits) {
    self.limits = limits
  }

  /// Looks at everything received of this request so far.
  ///
  /// - Parameters:
  ///   - bytes: from the request's first byte; may go on beyond the head. It may have moved since the last call.
  ///   - fields: `limits.fields` slots, filled from the first one when the head is complete.
  /// - Returns: the head, a refusal, or `needMore`. After the first two the parser is ready for the next request.
  package mutating func parse(
    _ bytes: UnsafeRawBufferPointer, fields: UnsafeMutableBufferPointer<FieldSlot>
  ) -> ParseOutcome {
    guard let base = bytes.baseAddress else { return .needMore }
    let octets = base.assumingMemoryBound(to: UInt8.self)
    switch scanner.advance(octets, count: bytes.count, limits: limits) {
    case .needMore:
      return .needMore
    case .refused(let fault):
      reset()
      return .refused(fault)
    case .found(let start, let end):
      reset()
      var head = RequestHead()
      head.headLength = end
      head.rangeLimit = limits.ranges
      do throws(RequestFault) {
        let fieldStart = try RequestLine.read(octets, from: start, into: &head, limits: limits)
        try FieldSection.read(octets, from: fieldStart, into: &head, fields: fields, limits: limits)
        return .complete(head)
      } catch {
        return .refused(error)
      }
    }
  }

  /// Forgets what was seen, so that the next call starts at the first byte of another request.
  package mutating func reset() {
    scanner = HeadScanner()
  }
}

/// What a look at the bytes received so far came to.
package enum ParseOutcome: Sendable {
  /// The head is not complete; call again when more bytes are there.
  case needMore
  /// The head is complete; its body, if any, begins at `headLength`.
  case complete(RequestHead)
  /// The request must be answered with the fault's status and the connection closed.
  case refused(RequestFault)
}

/// How much of a request's head is accepted.
package struct RequestLimits: Sendable, Equatable {
  /// Bytes of the head, request line and fields together; more is answered 431.
  package var headBytes: Int
  /// Bytes of the request target; more is answered 414.
  package var targetBytes: Int
  /// Field lines; more is answered 431.
  package var fields: Int
  /// Ranges that a request may name; with more it is answered as if it named none.
  package var ranges: Int

  /// Values out of range are brought into it: a head of 64 B to 1 GiB, and targets and fields that are not negative.
  package init(headBytes: Int = 16384, targetBytes: Int = 8192, fields: Int = 100, ranges: Int = 16) {
    self.headBytes = min(max(headBytes, 64), 1 << 30)
    self.targetBytes = min(max(targetBytes, 1), 1 << 30)
    self.fields = min(max(fields, 1), 1 << 20)
    self.ranges = min(max(ranges, 1), 1 << 10)
  }
}
