import SystemIO
import TLS

/// A certificate chain and its private key, as files that may be replaced while the daemon runs.
package struct CertificateFiles: Sendable, Equatable {
  /// Chain in PEM form, leaf first.
  package var certificate: String
  /// Private key in PEM form, without a pass phrase.
  package var privateKey: String

  package init(certificate: String, privateKey: String) {
    self.certificate = certificate
    self.privateKey = privateKey
  }

  /// Reads and checks both. Throws a sentence about what is missing or does not fit. One whose time is over, or has not
  /// come yet, is taken: some clients get further with it than with no server at all, and the rest see why.
  func load(now: Int64) throws(DaemonFailure) -> (pair: ServerCertificates.Pair, facts: CertificateFacts) {
    let chain = try Self.read(certificate, "certificate")
    let key = try Self.read(privateKey, "private key")
    let report = CertificatePair.check(certificate: chain, key: key, now: now)
    guard report.lastingFaults.isEmpty, let facts = report.facts else {
      throw DaemonFailure(
        report.lastingFaults.map(\.sentence).joined(separator: " "), exitCode: DaemonFailure.ExitCode.configuration)
    }
    return (ServerCertificates.Pair(certificate: chain, key: key), facts)
  }

  static func read(_ path: String, _ what: String) throws(DaemonFailure) -> PEMText {
    do throws(SystemFailure) {
      return PEMText(file: path, bytes: try readFile(path, limit: 1 << 20))
    } catch {
      throw DaemonFailure(
        "The \(what) \(path) cannot be read: \(error.reason). Check the path and that the daemon's user may read it.",
        exitCode: DaemonFailure.ExitCode.configuration)
    }
  }
}
