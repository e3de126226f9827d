import SystemIO
import TLS

/// The files that a listener's TLS comes from. They may be replaced while the daemon runs.
package struct ListenerFiles: Sendable, Equatable {
  /// The listener's name in the configuration.
  package let name: String
  /// The first is the default; the others are for clients that ask for one of their names.
  package let pairs: [CertificateFiles]
  /// Authorities of client certificates in PEM form; nil asks for none.
  package let clientAuthority: String?

  package init(name: String, pairs: [CertificateFiles], clientAuthority: String? = nil) {
    self.name = name
    self.pairs = pairs
    self.clientAuthority = clientAuthority
  }

  /// What the files' present content came to.
  struct Content {
    let context: ServerTLSContext
    let certificates: [ServiceReadings.Certificate]

    /// What is wrong with the dates at `now`; nil when nothing is.
    func problem(at now: Int64) -> String? { certificates.lazy.compactMap { $0.problem(at: now) }.first }
  }

  /// Reads and checks all files, for a server with `loopCount` loops. Throws a sentence about what is missing or does
  /// not fit. `sealsRecords` is what was decided at start.
  func load(
    now: Int64, tickets: TicketKeys?, loopCount: Int, sealsRecords: Bool
  ) throws(DaemonFailure) -> Content {
    var loaded: [ServerCertificates.Pair] = []
    var certificates: [ServiceReadings.Certificate] = []
    for pair in pairs {
      let (content, facts) = try pair.load(now: now)
      loaded.append(content)
      certificates.append(
        .init(listener: name, file: pair.certificate, notBefore: facts.notBefore, notAfter: facts.notAfter))
    }
    let authority: PEMText? =
      if let clientAuthority { try CertificateFiles.read(clientAuthority, "client authority") } else { nil }
    do throws(TLSFailure) {
      let context = try ServerTLSContext(
        ServerCertificates(loaded, clientAuthority: authority), tickets: tickets, loopCount: loopCount,
        sealsRecords: sealsRecords)
      return Content(context: context, certificates: certificates)
    } catch {
      throw DaemonFailure(error)
    }
  }

  /// By which a change of any file is noticed; nil stands for a file that is not there.
  var stamps: [FileStatus?] {
    (pairs.flatMap { [$0.certificate, $0.privateKey] } + (clientAuthority.map { [$0] } ?? [])).map { path in
      (try? FileStatus.of(path)) ?? nil
    }
  }
}
