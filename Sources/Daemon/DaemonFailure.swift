import Glibc
import PackStore
import SystemIO
import TLS

/// Why the daemon does not start: one line for the person who started it, and an exit code of sysexits(3).
package struct DaemonFailure: Error, Sendable {
  package let sentence: String
  package let exitCode: Int32
  /// The catalog is there but cannot be used, while everything else may be in order.
  let isAboutCatalog: Bool

  package init(_ sentence: String, exitCode: Int32, isAboutCatalog: Bool = false) {
    self.sentence = sentence
    self.exitCode = exitCode
    self.isAboutCatalog = isAboutCatalog
  }

  /// sysexits(3); the toolchain's Glibc module does not carry <sysexits.h>.
  package enum ExitCode {
    package static let unavailable: Int32 = 69
    package static let software: Int32 = 70
    package static let system: Int32 = 71
    package static let cannotCreate: Int32 = 73
    package static let configuration: Int32 = 78
  }

  package init(_ failure: StoreFailure) {
    let code: Int32 =
      switch failure {
      case .stateFolderInUse: ExitCode.unavailable
      case .readOnly, .diskFull, .stateFolderNotMade: ExitCode.cannotCreate
      case .hostNotAllowed: ExitCode.configuration
      case .system(let failure):
        failure.code == EACCES || failure.code == EROFS ? ExitCode.cannotCreate : ExitCode.system
      default: ExitCode.software
      }
    let isAboutCatalog =
      switch failure {
      case .database, .catalogDamaged, .catalogMissing, .notACatalog, .catalogNewer, .migrationChanged, .valueUnknown:
        true
      default: false
      }
    self.init(failure.sentence, exitCode: code, isAboutCatalog: isAboutCatalog)
  }

  package init(_ failure: TLSFailure) { self.init(failure.sentence, exitCode: ExitCode.configuration) }

  /// A listening address that cannot be used.
  package init(listening failure: SystemFailure) {
    switch failure.code {
    case EADDRINUSE:
      self.init(
        "Another program listens on \(failure.subject) already; stop it, or choose another port.",
        exitCode: ExitCode.unavailable)
    case EACCES:
      self.init(
        "\(failure.subject) is a port that only root may use; choose one above 1023, or give the program "
          + "CAP_NET_BIND_SERVICE.",
        exitCode: ExitCode.unavailable)
    case EADDRNOTAVAIL:
      self.init("\(failure.subject) is not an address of this machine.", exitCode: ExitCode.configuration)
    default: self.init("\(failure).", exitCode: ExitCode.system)
    }
  }
}
