import CLinux
import Glibc

/// Tells systemd how the service is doing: the protocol of sd_notify(3), a datagram to the socket that
/// `NOTIFY_SOCKET` names. Without that variable nothing is sent.
package struct ServiceNotifier: Sendable {
  private let path: String?
  /// Half of the watchdog's interval in milliseconds (`WATCHDOG_USEC`, sd_watchdog_enabled(3)); nil when
  /// systemd does not watch this process.
  package let watchdogPause: Int32?

  /// Reads the variables of the environment that systemd sets.
  package init() {
    path = getenv("NOTIFY_SOCKET").map { String(cString: $0) }
    let isMeant = getenv("WATCHDOG_PID").map { String(cString: $0) == String(getpid()) } ?? true
    let interval = getenv("WATCHDOG_USEC").flatMap { Int64(String(cString: $0)) }
    watchdogPause = interval.flatMap { isMeant && $0 > 0 ? Int32(clamping: $0 / 2000) : nil }
  }

  /// The service accepts connections.
  package func ready(status: String) { send("READY=1\nSTATUS=\(status)") }

  /// How the service is doing, for `systemctl status`.
  package func status(_ text: String) { send("STATUS=\(text)") }

  /// The configuration is being read again; `ready` ends it.
  package func reloading() {
    var clock = timespec()
    clock_gettime(CLOCK_MONOTONIC, &clock)
    send("RELOADING=1\nMONOTONIC_USEC=\(Int64(clock.tv_sec) * 1_000_000 + Int64(clock.tv_nsec) / 1000)")
  }

  /// The service is about to end.
  package func stopping() { send("STOPPING=1\nSTATUS=Letting transfers finish") }

  /// The service still moves.
  package func watchdog() { send("WATCHDOG=1") }

  private func send(_ text: String) {
    guard let path else { return }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    var bytes = Array(path.utf8)
    guard bytes.count < capacity else { return }
    // A leading @ stands for the abstract namespace, whose names begin with NUL.
    let isAbstract = bytes.first == UInt8(ascii: "@")
    if isAbstract { bytes[0] = 0 }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let prefix = MemoryLayout<sockaddr_un>.size - capacity
    let length = socklen_t(prefix + bytes.count + (isAbstract ? 0 : 1))
    let message = Array(text.utf8)
    _ = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, message, message.count, Int32(MSG_NOSIGNAL), $0, length)
      }
    }
  }
}
