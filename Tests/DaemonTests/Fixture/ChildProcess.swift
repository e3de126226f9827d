import Foundation
import Glibc

/// A program that a test starts and watches. Its standard error goes to a file, so that it never waits for a reader.
final class ChildProcess {
  let pid: pid_t
  let errorPath: String
  private let output: Int32
  private var pending: [UInt8] = []
  private var exit: Exit?

  /// How a program ended.
  enum Exit: Equatable {
    case code(Int32)
    case signal(Int32)
  }

  /// `inherited` become the program's descriptors from 3 on.
  init(
    _ program: String, _ arguments: [String], environment: [String: String] = [:], errorPath: String,
    inherited: [Int32] = []
  ) throws {
    self.errorPath = errorPath
    var ends: [Int32] = [0, 0]
    // A socket pair, because a pipe cannot be made close-on-exec in one step here, and tests start programs in
    // parallel.
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw Failure("socketpair") }
    defer { close(ends[1]) }
    output = ends[0]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_addopen(&actions, 2, errorPath, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    // Copies far above, so that none is overwritten before its turn.
    let copies = inherited.map { fcntl($0, F_DUPFD_CLOEXEC, 200) }
    defer { for copy in copies { close(copy) } }
    for (index, copy) in copies.enumerated() { posix_spawn_file_actions_adddup2(&actions, copy, Int32(3 + index)) }
    var variables = ProcessInfo.processInfo.environment
    for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "SOURCE_DATE_EPOCH"] { variables[name] = nil }
    variables.merge(environment) { $1 }
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    var assignments = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for word in words + assignments { free(word) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, program, &actions, nil, &words, &assignments)
    guard code == 0 else {
      close(output)
      throw Failure("posix_spawn \(program): \(String(cString: strerror(code)))")
    }
    pid = child
  }

  deinit {
    if exit == nil {
      kill(pid, SIGKILL)
      wait()
    }
    close(output)
  }

  /// The program that was built together with the tests: it stands beside the test bundle.
  static var packhouse: String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let path = String(decoding: buffer[0..<max(0, count)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent("packhouse").path
  }

  func send(_ signal: Int32) { kill(pid, signal) }

  /// Whether it has ended; does not wait.
  var hasEnded: Bool {
    var information = siginfo_t()
    guard exit == nil else { return true }
    return waitid(P_PID, id_t(pid), &information, WEXITED | WNOHANG | WNOWAIT) == 0 && information.si_signo != 0
  }

  /// The descriptor that becomes readable with output and at the end.
  var outputDescriptor: Int32 { output }

  /// The next line of standard output; nil when the program ended or closed it.
  func line(within seconds: Int32 = 60) throws -> String? {
    while true {
      if let end = pending.firstIndex(of: 0x0a) {
        let line = String(decoding: pending[..<end], as: UTF8.self)
        pending.removeSubrange(...end)
        return line
      }
      guard try more(within: seconds) else { return nil }
    }
  }

  /// All that is left of standard output.
  func rest() throws -> String {
    while try more(within: 60) {}
    return String(decoding: pending, as: UTF8.self)
  }

  private func more(within seconds: Int32) throws -> Bool {
    var poll = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    guard Glibc.poll(&poll, 1, seconds * 1000) > 0 else { throw Failure("no output within \(seconds) s: \(errors)") }
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = read(output, &buffer, buffer.count)
    if count > 0 { pending += buffer[0..<count] }
    return count > 0
  }

  /// Waits for the end. Its output ends with it, which is waited for first because that can be given a time.
  @discardableResult
  func finish() throws -> Exit {
    if let exit { return exit }
    _ = try rest()
    return wait()
  }

  @discardableResult
  private func wait() -> Exit {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
    let ended: Exit = status & 0x7f == 0 ? .code(status >> 8 & 0xff) : .signal(status & 0x7f)
    exit = ended
    return ended
  }

  /// What it wrote to standard error.
  var errors: String { (try? String(contentsOfFile: errorPath, encoding: .utf8)) ?? "" }
}

/// Why a fixture could not do its work.
struct Failure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
