import EventLoop
import Synchronization
import SystemIO

/// Slows down clients with bad credentials: a token bucket for each address, from which every failed attempt takes a
/// token and which refills with time. An attempt from an empty bucket is refused unchecked.
final class FailureThrottle: Sendable {
  private struct Bucket {
    var tokens: Double
    /// When `tokens` was last updated, in nanoseconds.
    var at: Int64
  }

  /// The most addresses that are remembered. An attacker with more of them can push others out; the table never grows.
  static let limit = 4096

  private let capacity: Double
  /// Nanoseconds for one token.
  private let pause: Double
  private let clock: MonotonicClock
  private let buckets = Mutex<[IPAddress: Bucket]>([:])

  /// - Parameters:
  ///   - failures: how many attempts may fail in a row.
  ///   - pause: seconds after which one more may.
  init(failures: Int, pause: Int64, clock: MonotonicClock = .system) {
    capacity = Double(max(1, failures))
    self.pause = Double(max(1, pause)) * 1e9
    self.clock = clock
  }

  /// Seconds until an attempt from `address` is checked; 0 for at once.
  func wait(_ address: IPAddress) -> Int64 {
    let now = clock.now()
    return buckets.withLock { buckets in
      guard let bucket = buckets[address.network] else { return 0 }
      let tokens = level(of: bucket, now: now)
      return tokens >= 1 ? 0 : max(1, Int64(((1 - tokens) * pause / 1e9).rounded(.up)))
    }
  }

  /// Counts a failed attempt.
  func fail(_ address: IPAddress) {
    let now = clock.now()
    let key = address.network
    buckets.withLock { buckets in
      if buckets[key] == nil, buckets.count >= Self.limit { makeRoom(&buckets, now: now) }
      let tokens = buckets[key].map { level(of: $0, now: now) } ?? capacity
      buckets[key] = Bucket(tokens: max(0, tokens - 1), at: now)
    }
  }

  /// How many addresses are remembered.
  var count: Int { buckets.withLock { $0.count } }

  private func level(of bucket: Bucket, now: Int64) -> Double {
    min(capacity, bucket.tokens + Double(max(0, now - bucket.at)) / pause)
  }

  /// Forgets addresses that have waited long enough, or else the eighth of them whose last failure is longest ago.
  private func makeRoom(_ buckets: inout [IPAddress: Bucket], now: Int64) {
    buckets = buckets.filter { level(of: $0.value, now: now) < capacity }
    guard buckets.count >= Self.limit else { return }
    for (key, _) in buckets.sorted(by: { $0.value.at < $1.value.at }).prefix(Self.limit / 8) { buckets[key] = nil }
  }
}

/// The hashes of credentials that were accepted lately. Their owners are still let in while somebody else behind the
/// same address is slowed down: a tunnel or a gateway gives many clients one address.
final class AcceptedCredentials: Sendable {
  private struct Generations {
    var recent: Set<[UInt8]> = []
    var older: Set<[UInt8]> = []
  }

  /// How many each of the two generations holds.
  static let limit = 1024

  private let generations = Mutex(Generations())

  /// Whether the credential was accepted when it was last presented.
  func contains(_ hash: [UInt8]) -> Bool {
    generations.withLock { $0.recent.contains(hash) || $0.older.contains(hash) }
  }

  func add(_ hash: [UInt8]) {
    generations.withLock { generations in
      if generations.recent.contains(hash) { return }
      if generations.recent.count >= Self.limit {
        generations.older = generations.recent
        generations.recent = []
      }
      generations.recent.insert(hash)
    }
  }

  func remove(_ hash: [UInt8]) {
    generations.withLock { generations in
      generations.recent.remove(hash)
      generations.older.remove(hash)
    }
  }
}
