import CLinux
import Glibc
import SystemIO

/// A POSIX thread that runs one closure to its end.
package struct SystemThread: Sendable {
  private let handle: pthread_t

  private final class Start {
    let name: String
    let body: @Sendable () -> Void
    init(name: String, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }

  /// Starts the thread. `name` shows in `top -H` and is cut to 15 bytes by the kernel.
  ///
  /// Throws when the process may not start another thread.
  package init(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemFailure) {
    let start = Unmanaged.passRetained(Start(name: name, body: body))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        let start = Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
        pthread_setname_np(pthread_self(), start.name)
        start.body()
        return nil
      }, start.toOpaque())
    guard code == 0 else {
      start.release()
      throw SystemFailure("pthread_create", name, code: code)
    }
    handle = thread
  }

  /// Has the kernel switch to and from the calling thread more often while the machine has more to do than processors:
  /// it gets no more time than others, but never waits for long until it gets some. Where the kernel has no such thing
  /// or refuses, everything stays as it is.
  package static func requestShortTurns() { _ = packhouse_request_slice(100_000) }

  /// Lets the thread end by itself, without anybody waiting for it. Call it or `join` once at most.
  package func detach() { pthread_detach(handle) }

  /// Waits for the end of the thread. Call it once at most.
  package func join() { pthread_join(handle, nil) }
}
