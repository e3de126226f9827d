import Daemon
import Glibc

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
    exitCode = failure.exitCode
  }
}

/// sysexits(3); the toolchain's Glibc module does not carry <sysexits.h>.
enum ExitCode: Int32 {
  /// Two things that were compared are not equal, as diff(1) says it.
  case difference = 1
  case usage = 64
  case dataError = 65
  case noInput = 66
  case unavailable = 69
  case software = 70
  case cannotCreate = 73
  case inputOutput = 74
  case temporaryFailure = 75
  case noPermission = 77
  case configuration = 78
}
