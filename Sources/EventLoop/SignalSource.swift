import CLinux
import Glibc
import SystemIO

/// Signals as readable events (signalfd), so that no code runs inside a signal handler.
package struct SignalSource: ~Copyable {
  private let source: FileDescriptor

  /// The number to add to a `Poller`.
  package var descriptor: Int32 { source.raw }

  /// Blocks `signals` in the calling thread and every thread that it starts later, and collects them
  /// here. Call it on the first thread before any other is started.
  package init(_ signals: [Int32]) throws(SystemFailure) {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    let raw = signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
    guard raw >= 0 else { throw SystemFailure("signalfd") }
    source = FileDescriptor(owning: raw)
  }

  /// The next signal's number; nil when none waits.
  package func next() -> Int32? {
    var information = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    guard read(source.raw, &information, size) == size else { return nil }
    return Int32(bitPattern: information.ssi_signo)
  }
}
