import HTTPServer
import Observability
import SystemIO
import TLS

/// A certificate chain and its private key, as files that may be replaced while the daemon runs.
package struct CertificateFiles: Sendable, Equatable {
  /// Chain in PEM form, leaf first.
  package let certificate: String
  /// Private key in PEM form, without a pass phrase.
  package let privateKey: String

  package init(certificate: String, privateKey: String) {
    self.certificate = certificate
    self.privateKey = privateKey
  }

  /// Reads and checks both. Throws a sentence about what is missing, does not fit, or has expired.
  func load(now: Int64) throws(DaemonFailure) -> ServerTLSContext {
    let chain = try read(certificate, "certificate")
    let key = try read(privateKey, "private key")
    let faults = CertificatePair.check(certificate: chain, key: key, now: now).faults
    guard faults.isEmpty else {
      throw DaemonFailure(faults.map(\.sentence).joined(separator: " "), exitCode: DaemonFailure.ExitCode.configuration)
    }
    do throws(TLSFailure) {
      return try ServerTLSContext(certificate: chain, key: key)
    } catch {
      throw DaemonFailure(error)
    }
  }

  private func read(_ path: String, _ what: String) throws(DaemonFailure) -> PEMText {
    do throws(SystemFailure) {
      return PEMText(file: path, bytes: try readFile(path, limit: 1 << 20))
    } catch {
      throw DaemonFailure(
        "The \(what) \(path) cannot be read: \(error.reason). Check the path and that the daemon's user may read it.",
        exitCode: DaemonFailure.ExitCode.configuration)
    }
  }
}

extension HTTPServer {
  /// Brings the files' present content into service, one pair for each listener in order. What cannot be used is
  /// logged, and the old certificate stays.
  func reload(_ files: [CertificateFiles], log: Log) {
    let now = WallClock.system.now()
    for (listener, files) in files.enumerated() {
      do throws(DaemonFailure) {
        replaceTLS(ofListener: listener, with: try files.load(now: now))
      } catch {
        log.error("The old certificate stays in use. \(error.sentence)")
      }
    }
  }
}
