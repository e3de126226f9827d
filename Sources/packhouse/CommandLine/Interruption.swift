import Glibc

/// Ctrl-C, a hangup or a polite kill while something is half done: held back until it has been put in order.
enum Interruption {
  /// Runs `body`, which looks at `isWaiting` now and then. A signal that came meanwhile has its effect afterwards.
  static func held<Value>(_ body: () throws(CommandFailure) -> Value) throws(CommandFailure) -> Value {
    var held = signals
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, &held, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return try body()
  }

  /// Whether a signal that would end the process is held back.
  static var isWaiting: Bool {
    var pending = sigset_t()
    guard sigpending(&pending) == 0 else { return false }
    return [SIGINT, SIGTERM, SIGHUP].contains { sigismember(&pending, $0) == 1 }
  }

  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    // SIG_IGN is 1, which is no function that could be compared.
    return sigaction(signal, nil, &action) == 0
      && unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  private static var signals: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    // One that is ignored, as under nohup, stays so.
    for signal in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(signal) { sigaddset(&set, signal) }
    return set
  }
}
