import CLinux
import Glibc

/// The time of day, as a value that can be replaced in tests.
package struct WallClock: Sendable {
  private let read: @Sendable () -> Int64

  /// A clock that answers what `read` returns: seconds since 1970, UTC.
  package init(_ read: @escaping @Sendable () -> Int64) { self.read = read }

  /// Seconds since 1970-01-01T00:00:00Z.
  package func now() -> Int64 { read() }

  /// The machine's clock.
  package static let system = WallClock {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec)
  }
}

/// Time that only ever rises, for spans and deadlines; its zero means nothing.
package struct MonotonicClock: Sendable {
  private let read: @Sendable () -> Int64

  /// A clock that answers what `read` returns: nanoseconds.
  package init(_ read: @escaping @Sendable () -> Int64) { self.read = read }

  /// Nanoseconds since an unknown moment.
  package func now() -> Int64 { read() }

  /// The machine's clock (CLOCK_MONOTONIC: stands still while the machine sleeps).
  package static let system = MonotonicClock {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
