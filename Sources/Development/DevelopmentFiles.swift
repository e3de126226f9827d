import CLinux
import Daemon
import EventLoop
import Glibc
import HTTPServer
import JSONText
import SystemIO
import TLS

/// What a development server keeps beside the store: authority, certificate, ports and token, so that it comes
/// back at the same URLs.
struct DevelopmentFiles {
  /// Ports and token of the last run, and what it was given.
  struct Memory {
    var clientPort: UInt16?
    var adminPort: UInt16?
    var token: String?
    /// The SHA-256 of the archive that was last given for a pack, by app and pack as `app/pack`.
    var given: [String: String] = [:]
  }

  let folder: String

  private var tlsFolder: String { "\(folder)/tls" }
  private var memoryPath: String { "\(folder)/development.json" }
  /// The authority's certificate: what clients must trust.
  var authorityPath: String { "\(tlsFolder)/ca.pem" }
  var certificate: CertificateFiles {
    CertificateFiles(certificate: "\(tlsFolder)/leaf.pem", privateKey: "\(tlsFolder)/leaf.key")
  }

  /// Makes the folder, which only its owner may enter: it holds keys.
  init(_ folder: String) throws(DaemonFailure) {
    self.folder = folder
    do throws(SystemFailure) {
      try Folder.create(folder, mode: 0o700)
      try Folder.create(tlsFolder, mode: 0o700)
      // What an interrupted run was packing.
      for name in (try? Folder.names("\(folder)/built")) ?? [] where name.hasSuffix(AtomicFile.temporarySuffix) {
        unlink("\(folder)/built/\(name)")
      }
    } catch {
      throw DaemonFailure(
        "The state folder \(folder) cannot be made or written: \(error.reason). Choose another one with --state.",
        exitCode: DaemonFailure.ExitCode.cannotCreate)
    }
  }

  /// Makes the authority and a certificate for `names` where they are missing, and a new certificate when the old
  /// one is for other names or runs out within a month.
  func prepareCertificates(names: [String], now: Int64) throws(DaemonFailure) {
    do {
      let authority = try loadAuthority() ?? makeAuthority(now: now)
      if try isCurrent(names: names, now: now) { return }
      let leaf = try authority.issueLeaf(names: names, days: 398, now: now)
      try AtomicFile.write(leaf.keyPEM, to: certificate.privateKey, mode: 0o600)
      try AtomicFile.write(leaf.certificatePEM, to: certificate.certificate)
    } catch let failure as TLSFailure {
      throw DaemonFailure(failure)
    } catch {
      throw DaemonFailure(
        "The certificates cannot be written: \(error).", exitCode: DaemonFailure.ExitCode.cannotCreate)
    }
  }

  private func loadAuthority() throws -> CertificateAuthority? {
    let keyPath = "\(tlsFolder)/ca.key"
    guard try FileStatus.of(authorityPath) != nil, try FileStatus.of(keyPath) != nil else { return nil }
    return try CertificateAuthority(certificate: text(authorityPath), key: text(keyPath))
  }

  private func makeAuthority(now: Int64) throws -> CertificateAuthority {
    let authority = try CertificateAuthority.makeDevelopment(now: now)
    try AtomicFile.write(authority.keyPEM, to: "\(tlsFolder)/ca.key", mode: 0o600)
    try AtomicFile.write(authority.certificatePEM, to: authorityPath)
    return authority
  }

  private func isCurrent(names: [String], now: Int64) throws -> Bool {
    guard try FileStatus.of(certificate.certificate) != nil, try FileStatus.of(certificate.privateKey) != nil else {
      return false
    }
    let report = CertificatePair.check(
      certificate: try text(certificate.certificate), key: try text(certificate.privateKey), now: now)
    guard report.faults.isEmpty, let facts = report.facts else { return false }
    let month: Int64 = 30 * 86_400
    return Set(names).isSubset(of: Set(facts.names)) && facts.notAfter > now + month
  }

  /// The authority's certificate, which `prepareCertificates` has made.
  func authority() throws(TLSFailure) -> PEMText {
    do throws(SystemFailure) { return try text(authorityPath) } catch { throw .system(error) }
  }

  private func text(_ path: String) throws(SystemFailure) -> PEMText {
    PEMText(file: path, bytes: try readFile(path, limit: 1 << 20))
  }

  /// What the last run left; nothing when there was none or its file cannot be read.
  func loadMemory() -> Memory {
    var memory = Memory()
    guard let bytes = try? readFile(memoryPath, limit: 1 << 16),
      let document = try? JSONParser.parse(bytes, dialect: .strict)
    else { return memory }
    memory.clientPort = document.root["clientPort"]?.int.flatMap { UInt16(exactly: $0) }
    memory.adminPort = document.root["adminPort"]?.int.flatMap { UInt16(exactly: $0) }
    memory.token = document.root["adminToken"]?.string
    for member in document.root["given"]?.object?.members ?? [] {
      memory.given[member.key] = member.value.string
    }
    return memory
  }

  func save(_ memory: Memory) throws(DaemonFailure) {
    let given = JSONObject(memory.given.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
    let document: JSONValue = [
      "clientPort": .integer(memory.clientPort ?? 0), "adminPort": .integer(memory.adminPort ?? 0),
      "adminToken": .optional(memory.token), "given": .object(given),
    ]
    do throws(SystemFailure) {
      try AtomicFile.write(document.serialize(.pretty) + [0x0A], to: memoryPath, mode: 0o600)
    } catch {
      throw DaemonFailure("\(error).", exitCode: DaemonFailure.ExitCode.cannotCreate)
    }
  }

  /// The binding with a port that is not 0: the given one, else the last run's, else one that is free.
  /// Nothing listens on `taken` yet, but something will.
  static func settle(
    _ binding: HTTPServer.Binding, last: UInt16?, taken: UInt16? = nil
  ) throws(DaemonFailure) -> HTTPServer.Binding {
    guard binding.port == 0 else { return binding }
    if let last, last != 0 { return HTTPServer.Binding(host: binding.host, port: last) }
    for _ in 0..<64 {
      let port = UInt16.random(in: lastingPorts)
      if port == taken { continue }
      do throws(SystemFailure) {
        _ = try ListeningSocket(host: binding.host, port: port, sharesPort: false)
        return HTTPServer.Binding(host: binding.host, port: port)
      } catch { continue }
    }
    do throws(SystemFailure) {
      let probe = try ListeningSocket(host: binding.host, port: 0, sharesPort: false)
      return HTTPServer.Binding(host: binding.host, port: probe.port)
    } catch {
      throw DaemonFailure(listening: error)
    }
  }

  /// Below the ports that the kernel gives to outgoing connections (ip_local_port_range(7), from 32768 on): one of
  /// those could be in some client's use when the server comes back to it.
  private static let lastingPorts: Range<UInt16> = 20_000..<32_768
}
