import AssetPacks
import Doctor
import EventLoop
import Glibc
import HTTPServer
import PackStore
import SystemIO
import TLS
import Values

/// Looks at a server on its own machine: configuration, files, ports, certificates, catalog, and whether the public
/// base URL leads back to it.
package struct ConfigurationCheckup {
  private let path: String
  let app: String?
  let track: String
  let authority: PEMText?
  let now: Int64

  /// - Parameters:
  ///   - configuration: the path of the file.
  ///   - app: a bundle ID; nil looks at every app.
  ///   - authority: the root that devices trust by a profile; nil for the chain's own or the system's.
  package init(configuration path: String, app: String?, track: String, authority: PEMText?) {
    self.path = path
    self.app = app
    self.track = track
    self.authority = authority
    now = WallClock.system.now()
  }

  package func run() -> ServerCheckup.Outcome {
    var outcome = ServerCheckup.Outcome()
    let settings: ServiceSettings
    do throws(DaemonFailure) {
      settings = try ServeProgram.settings(path)
    } catch {
      for line in error.sentence.split(separator: "\n") {
        outcome.findings.append(
          .error("config.file", String(line), fix: "Correct \(path); docs/configuration.md lists every key."))
      }
      return outcome
    }
    outcome.findings.append(.ok("config.file", "\(path) is valid."))
    let isRunning = LockFile.isHeldByOther("\(settings.stateDirectory)/packhouse.lock")
    outcome.findings += stateFolder(settings) + privateKeys(settings) + ports(settings, isRunning: isRunning)
    outcome.findings += certificates(settings)
    checkCatalog(settings, isRunning: isRunning, &outcome)
    return outcome
  }

  private func stateFolder(_ settings: ServiceSettings) -> [Finding] {
    let folder = settings.stateDirectory
    var status = stat()
    guard stat(folder, &status) == 0 else {
      let parent = Folder.parent(of: folder)
      if access(parent, W_OK | X_OK) == 0 { return [.ok("config.state", "\(folder) is made at the first start.")] }
      return [
        .error(
          "config.state",
          "\(folder) is not there and cannot be made in \(parent): \(String(cString: strerror(errno))).",
          fix: "Make it, and give it to the user that the server runs as.")
      ]
    }
    guard access(folder, R_OK | W_OK | X_OK) == 0 else {
      return [
        .error(
          "config.state", "\(folder) cannot be written by this user: \(String(cString: strerror(errno))).",
          fix: "Give it to the user that the server runs as (chown -R), and run the doctor as that user.")
      ]
    }
    var findings: [Finding] = []
    if status.st_mode & 0o007 != 0 {
      findings.append(
        .warning(
          "config.permissions", "\(folder) may be entered by every user of this machine.",
          fix: "Run chmod 750 \(folder)."))
    } else {
      findings.append(.ok("config.state", "\(folder) is there and can be written."))
    }
    return findings + diskSpace(folder, settings)
  }

  private func diskSpace(_ folder: String, _ settings: ServiceSettings) -> [Finding] {
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { return [] }
    let (product, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return [Self.diskSpace(free: overflow ? .max : Int64(clamping: product), of: folder, settings.packSizeLimit)]
  }

  /// What so many free bytes mean, when a pack may have `packSize`.
  static func diskSpace(free: Int64, of folder: String, _ packSize: Int64) -> Finding {
    if free < 256 << 20 {
      return .error(
        "config.disk", "Only \(free >> 20) MiB are free for \(folder); uploads and releases will fail.",
        fix: "Make room on that file system, or move stateDirectory to a larger one.")
    }
    if free < packSize {
      return .warning(
        "config.disk", "\(free >> 20) MiB are free for \(folder), less than one pack of limits.packSize.",
        fix: "Make room on that file system, or lower limits.packSize.")
    }
    return .ok("config.disk", "\(free >> 30) GiB are free for \(folder).")
  }

  private func privateKeys(_ settings: ServiceSettings) -> [Finding] {
    let files = ([settings.clientCertificate, settings.adminCertificate] + settings.moreClientCertificates)
    var findings: [Finding] = []
    var seen: Set<String> = []
    for path in files.map(\.privateKey) where seen.insert(path).inserted {
      var status = stat()
      guard stat(path, &status) == 0, status.st_mode & 0o007 != 0 else { continue }
      findings.append(
        .warning(
          "config.permissions", "The private key \(path) may be read by every user of this machine.",
          fix: "Run chmod 600 \(path)."))
    }
    return findings
  }

  private func ports(_ settings: ServiceSettings, isRunning: Bool) -> [Finding] {
    (settings.clientListeners + settings.adminListeners).compactMap { port($0, isRunning: isRunning) }
  }

  private func port(_ binding: HTTPServer.Binding, isRunning: Bool) -> Finding? {
    guard binding.port != 0 else { return nil }
    let name = binding.host.contains(":") ? "[\(binding.host)]:\(binding.port)" : "\(binding.host):\(binding.port)"
    do throws(SystemFailure) {
      _ = try ListeningSocket(host: binding.host, port: binding.port, sharesPort: false)
      if isRunning {
        return .error(
          "config.port", "The server is running and does not listen on \(name).",
          fix: "Restart it; addresses are taken up at the start only.")
      }
      return .ok("config.port", "\(name) is free for the server.")
    } catch {
      if error.code == EADDRINUSE, isRunning { return .ok("config.port", "The server listens on \(name).") }
      return .error(
        "config.port", PortSentence.text(error, name),
        fix: error.code == EADDRINUSE
          ? "Stop the other program (ss -ltnp shows it), or change the address in the configuration."
          : "Change the address in the configuration, or give the server what it needs.")
    }
  }

  private enum PortSentence {
    static func text(_ failure: SystemFailure, _ name: String) -> String {
      switch failure.code {
      case EADDRINUSE: "Another program listens on \(name)."
      case EACCES: "\(name) is a port that this user may not use."
      case EADDRNOTAVAIL: "\(name) is not an address of this machine."
      default: "\(name) cannot be used: \(failure.reason)."
      }
    }
  }

  private func certificates(_ settings: ServiceSettings) -> [Finding] {
    let host = (try? PublicBaseURL(settings.publicBaseURL))?.host
    var findings: [Finding] = []
    for files in [settings.clientCertificate] + settings.moreClientCertificates {
      let isFirst = files == settings.clientCertificate
      findings += examine(files, host: isFirst ? host.map(Self.bare) : nil)
    }
    return findings
  }

  /// IPv6 addresses without brackets, as certificates have them.
  private static func bare(_ host: HostName) -> String {
    if case .ipv6 = host { return String(host.text.dropFirst().dropLast()) }
    return host.text
  }

  private func examine(_ files: CertificateFiles, host: String?) -> [Finding] {
    do {
      let chain = try CertificateFiles.read(files.certificate, "certificate")
      let key = try CertificateFiles.read(files.privateKey, "private key")
      let trust: CertificateExamination.Trust = authority.map { .only($0) } ?? .chainItself
      return try CertificateExamination.examine(chain: chain, key: key, host: host, trust: trust, now: now)
        .map(Finding.init)
    } catch let failure as DaemonFailure {
      return [.error("certificate.file", failure.sentence, fix: "Name files that the server's user may read.")]
    } catch let failure as TLSFailure {
      return [.error("certificate.file", failure.sentence, fix: "Put PEM files there: the chain, and its key.")]
    } catch {
      return [.error("certificate.file", "\(error).", fix: "Put PEM files there: the chain, and its key.")]
    }
  }
}
