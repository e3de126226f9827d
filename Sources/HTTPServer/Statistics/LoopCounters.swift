import Synchronization

/// What one loop has counted. The loop's thread adds to plain memory; once a second it copies everything to where
/// other threads may read, so that a request costs neither a lock nor an atomic operation.
///
/// `@unchecked Sendable` is safe: `plain` is touched by the loop's thread only, `published` are atomics, and both
/// pointers never change.
final class LoopCounters: @unchecked Sendable {
  /// Counters, buckets of durations and one more for their sum, for one listener.
  private static let stride = ServerCounter.allCases.count + DurationBuckets.bounds.count + 2
  private static let firstBucket = ServerCounter.allCases.count

  private let count: Int
  private let plain: UnsafeMutablePointer<Int>
  private let published: UnsafeMutablePointer<Atomic<Int>>

  init(listeners: Int) {
    count = listeners * Self.stride
    plain = .allocate(capacity: count)
    plain.initialize(repeating: 0, count: count)
    published = .allocate(capacity: count)
    for index in 0..<count { (published + index).initialize(to: Atomic(0)) }
  }

  deinit {
    published.deinitialize(count: count)
    published.deallocate()
    plain.deallocate()
  }

  /// Adds on the loop's thread.
  @inline(__always)
  func add(_ counter: ServerCounter, _ amount: Int = 1, listener: Int) {
    plain[listener &* Self.stride &+ counter.rawValue] &+= amount
  }

  /// Adds a request's duration in nanoseconds on the loop's thread.
  func addDuration(_ nanoseconds: Int64, listener: Int) {
    let base = listener &* Self.stride &+ Self.firstBucket
    plain[base &+ DurationBuckets.index(nanoseconds)] &+= 1
    plain[base &+ DurationBuckets.bounds.count &+ 1] &+= Int(nanoseconds)
  }

  /// Publishes the current state to other threads.
  func publish() {
    for index in 0..<count { published[index].store(plain[index], ordering: .relaxed) }
  }

  /// Adds what was published last to `statistics`. Safe from any thread.
  func add(to statistics: inout ListenerStatistics, listener: Int) {
    let base = listener * Self.stride
    for index in 0..<Self.firstBucket {
      statistics.counters[index] += published[base + index].load(ordering: .relaxed)
    }
    for index in 0...DurationBuckets.bounds.count {
      statistics.durations[index] += published[base + Self.firstBucket + index].load(ordering: .relaxed)
    }
    let sum = base + Self.firstBucket + DurationBuckets.bounds.count + 1
    statistics.durationSum += published[sum].load(ordering: .relaxed)
  }
}
