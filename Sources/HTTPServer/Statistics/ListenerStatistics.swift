/// What all loops together have counted for one listener, as of the last second.
package struct ListenerStatistics: Sendable {
  /// The listener's name.
  package let name: String
  var counters = [Int](repeating: 0, count: ServerCounter.allCases.count)
  /// Requests in each of `DurationBuckets.bounds`, and behind them those that took longer; not cumulated.
  package internal(set) var durations = [Int](repeating: 0, count: DurationBuckets.bounds.count + 1)
  /// Nanoseconds of all requests together.
  package internal(set) var durationSum = 0

  init(name: String) { self.name = name }

  /// How often something happened.
  package subscript(counter: ServerCounter) -> Int { counters[counter.rawValue] }

  /// Connections that are open.
  package var open: Int { max(0, self[.accepted] - self[.closed]) }
}

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
