import Glibc
import PackStore
import SystemIO
import TLS
import Values

/// Why the daemon does not start: one line for the person who started it, and an exit code of sysexits(3).
package struct DaemonFailure: Error, Sendable {
  package let sentence: String
  package let exitCode: ExitCode
  /// The catalog is there but cannot be used, while everything else may be in order.
  let isAboutCatalog: Bool

  package init(_ sentence: String, exitCode: ExitCode, isAboutCatalog: Bool = false) {
    self.sentence = sentence
    self.exitCode = exitCode
    self.isAboutCatalog = isAboutCatalog
  }

  package typealias ExitCode = Values.ExitCode

  package init(_ failure: StoreFailure) {
    let refusal = failure.refusal
    self.init(refusal.sentence, exitCode: refusal.exitCode, isAboutCatalog: refusal.isAboutCatalog)
  }

  package init(_ failure: TLSFailure) { self.init(failure.sentence, exitCode: .configuration) }

  /// A listening address that cannot be used.
  package init(listening failure: SystemFailure) {
    switch failure.code {
    case EADDRINUSE:
      self.init(
        "Another program listens on \(failure.subject) already; stop it, or choose another port.",
        exitCode: .unavailable)
    case EACCES:
      self.init(
        "\(failure.subject) is a port that only root may use; choose one above 1023, or give the program "
          + "CAP_NET_BIND_SERVICE.",
        exitCode: .unavailable)
    case EADDRNOTAVAIL:
      self.init("\(failure.subject) is not an address of this machine.", exitCode: .configuration)
    default: self.init("\(failure).", exitCode: .system)
    }
  }
}
