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
