import Daemon
import Glibc
import Values

/// Why a verb did not do what it was asked: a sentence for the person and an exit code of sysexits(3).
struct CommandFailure: Error {
  let sentence: String
  let exitCode: Int32
  /// A name for programs, where there is one.
  var code: String?

  init(_ sentence: String, _ exitCode: ExitCode, code: String? = nil) {
    self.sentence = sentence
    self.exitCode = exitCode.rawValue
    self.code = code
  }

  init(_ failure: DaemonFailure) {
    sentence = failure.sentence
    exitCode = failure.exitCode.rawValue
  }
}

typealias ExitCode = Values.ExitCode
