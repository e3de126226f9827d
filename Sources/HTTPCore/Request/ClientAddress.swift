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
