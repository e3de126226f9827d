import CLinux
import EventLoop
import Glibc
import SystemIO

/// The first thread's work: start, watch signals, reload, stop.
package struct ServiceRunner: ~Copyable {
  private let signals: SignalSource
  private let poller: Poller
  private let notifier = ServiceNotifier()
  /// Milliseconds between two looks at what may have changed.
  private static let pause: Int32 = 2000

  /// Must be made before any other thread is started, so that all of them leave signals to this one.
  package init() throws(DaemonFailure) {
    signal(SIGPIPE, SIG_IGN)
    let signals = try Self.collectSignals()
    poller = try Self.watch(signals.descriptor)
    self.signals = signals
  }

  private static func collectSignals() throws(DaemonFailure) -> SignalSource {
    do throws(SystemFailure) {
      return try SignalSource([SIGTERM, SIGINT, SIGHUP])
    } catch {
      throw DaemonFailure("\(error).", exitCode: DaemonFailure.ExitCode.system)
    }
  }

  private static func watch(_ descriptor: Int32) throws(DaemonFailure) -> Poller {
    do throws(SystemFailure) {
      let poller = try Poller()
      try poller.addLevel(descriptor, token: 0)
      return poller
    } catch {
      throw DaemonFailure("\(error).", exitCode: DaemonFailure.ExitCode.system)
    }
  }

  /// Serves until SIGTERM or SIGINT, reloading for each SIGHUP, then lets transfers finish. A second SIGTERM or SIGINT
  /// ends the process at once.
  package func run(_ service: ServiceHandle) {
    var status = service.status()
    notifier.ready(status: status)
    while true {
      poller.wait(milliseconds: min(Self.pause, notifier.watchdogPause ?? Self.pause)) { _ in }
      service.look()
      let fresh = service.status()
      if fresh != status { notifier.status(fresh) }
      status = fresh
      if notifier.watchdogPause != nil, service.isAlive() { notifier.watchdog() }
      while let number = signals.next() {
        guard number == SIGHUP else { return stop(service) }
        notifier.reloading()
        service.reload()
        status = service.status()
        notifier.ready(status: status)
      }
    }
  }

  /// Waits for the end of something that another thread does; false when SIGTERM or SIGINT came first.
  package func waits(until isDone: () -> Bool) -> Bool {
    while !isDone() {
      poller.wait(milliseconds: 20) { _ in }
      while let number = signals.next() {
        guard number == SIGHUP else {
          letSignalsEnd()
          return false
        }
      }
    }
    return true
  }

  private func stop(_ service: ServiceHandle) {
    notifier.stopping()
    service.log.notice(
      "Stopping: new connections are refused, and running transfers have \(service.drainGrace) seconds")
    letSignalsEnd()
    service.stop()
  }

  /// From here on the signals end the process as they do by default.
  private func letSignalsEnd() {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in [SIGTERM, SIGINT] { sigaddset(&set, signal) }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }
}
