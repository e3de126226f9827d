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
