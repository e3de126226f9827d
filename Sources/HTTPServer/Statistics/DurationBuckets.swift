/// The histogram of how long requests took, from the end of their head to the last byte of their answer.
package enum DurationBuckets {
  /// Upper bounds in nanoseconds, rising; what took longer falls into one more bucket behind them.
  package static let bounds: [Int64] = [
    100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 25_000_000, 50_000_000, 100_000_000,
    250_000_000, 1_000_000_000, 5_000_000_000, 30_000_000_000, 300_000_000_000,
  ]

  /// The bucket of a duration.
  static func index(_ nanoseconds: Int64) -> Int {
    var index = 0
    // Nearly all requests end in one of the first buckets.
    while index < bounds.count, nanoseconds > bounds[index] { index += 1 }
    return index
  }
}
