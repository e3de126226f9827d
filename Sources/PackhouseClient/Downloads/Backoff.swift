/// The waits between attempts. They double, up to a minute, and are a little shorter or longer by chance, because many
/// clients that failed at the same moment must not come back at the same moment. Where the server asks for a longer
/// wait (Retry-After, RFC 9110 section 10.2.3), it gets that.
struct Backoff {
  private let first: Duration
  private var pause: Duration

  static let longest = Duration.seconds(60)
  /// A server that asks for more than this is not waited for.
  static let longestRequested = Duration.seconds(120)

  init(first: Duration) {
    self.first = first
    pause = first
  }

  /// Begins again, after an attempt that brought something.
  mutating func reset() { pause = first }

  /// How long to wait before the next attempt; nil when the server asks for more patience than there is.
  mutating func next(after failure: ManagedBackgroundAssetsError) -> Duration? {
    let own = pause * Double.random(in: 0.75...1.25)
    pause = min(pause * 2, Self.longest)
    guard case .status(_, _, let requested?) = failure else { return own }
    return requested <= Self.longestRequested ? max(own, requested) : nil
  }
}

extension TransportResponse {
  /// The wait that the server asks for in seconds; nil when it asks for none, or names a date.
  var retryAfter: Duration? { self["Retry-After"].flatMap { UInt32($0) }.map { .seconds(Int64($0)) } }
}
