import Glibc
import HTTPCore
import SystemIO

/// A loop's time: read once a round, so that everything in it happens in the same second.
struct LoopClock: ~Copyable {
  private let monotonic: MonotonicClock
  /// The monotonic second.
  private(set) var now: Int64 = 0
  /// The second of the day's clock, and as a value of Date.
  private(set) var dateSecond: Int64 = -1
  private let text = UnsafeMutableRawPointer.allocate(byteCount: 32, alignment: 8)
  /// The second in which deadlines were last checked.
  private var lastTick: Int64

  init(_ monotonic: MonotonicClock) {
    self.monotonic = monotonic
    lastTick = monotonic.now() / 1_000_000_000
    read()
  }

  deinit { text.deallocate() }

  /// The time as a value of the field Date.
  var date: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: text, count: 29) }

  mutating func read() {
    now = monotonic.now() / 1_000_000_000
    var time = timespec()
    clock_gettime(CLOCK_REALTIME_COARSE, &time)
    let second = Int64(time.tv_sec)
    if second != dateSecond {
      dateSecond = second
      HTTPDate.render(unixSeconds: second, into: text)
    }
  }

  /// True once in each second that is read.
  mutating func isNewSecond() -> Bool {
    guard now != lastTick else { return false }
    lastTick = now
    return true
  }
}

extension MonotonicClock {
  /// The same clock as of the kernel's last tick: up to 4 ms late, and cheaper to read.
  package static let coarse = MonotonicClock {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
