import Development
import Doctor
import Glibc
import JSONText
import SystemIO
import TLS

extension Verb {
  static let certDevCA = Verb(
    words: ["cert", "dev-ca"], summary: "Create your own certificate authority for development.",
    options: [
      .value("output", "DIR", "The folder for ca.pem and ca.key (also -o; the current folder)."), CertFiles.force,
      .flag("json", "Print the paths as JSON."),
    ],
    details: """
      To trust it on a device, install the profile (packhouse cert profile) and turn on full trust under
      Settings > General > About > Certificate Trust Settings. Anyone who has ca.key can then impersonate any server.
      """
  ) { arguments throws(CommandFailure) in
    let folder = arguments.value("output") ?? "."
    let (certificate, key) = ("\(folder)/ca.pem", "\(folder)/ca.key")
    try CertFiles.mustBeFree([certificate, key], arguments)
    let authority = try CommandFailure.tls(try CertificateAuthority.makeDevelopment(now: WallClock.system.now()))
    try CertFiles.makeFolder(folder)
    try CertFiles.write(authority.keyPEM, to: key, mode: 0o600)
    try CertFiles.write(authority.certificatePEM, to: certificate)
    if arguments.has("json") {
      Output.write(["certificate": .string(certificate), "privateKey": .string(key)])
    } else {
      Output.write("\(certificate)\n\(key)\n")
    }
  }
}

extension Verb {
  static let certLeaf = Verb(
    words: ["cert", "leaf"], summary: "Create a server certificate signed by your own authority.",
    positionals: "NAME | ADDRESS…", count: 1...100,
    options: [
      .value("ca", "PEM", "The authority's certificate (ca.pem)."),
      .value("ca-key", "PEM", "Its private key (ca.key next to the certificate)."),
      .value("days", "N", "How many days it is valid, 1 to 825 (398)."),
      .value("output", "DIR", "The folder for leaf.pem and leaf.key (also -o; the current folder)."), CertFiles.force,
      .flag("json", "Print the paths as JSON."),
    ],
    details: "It always covers localhost, 127.0.0.1 and ::1 too."
  ) { arguments throws(CommandFailure) in
    let days = arguments.value("days") ?? "398"
    guard let count = Int(days), (1...825).contains(count) else {
      throw CommandFailure(
        "--days must be a whole number from 1 to 825, which is what devices accept, not \(days).", .usage)
    }
    let authorityPath = arguments.value("ca") ?? "ca.pem"
    let keyPath = arguments.value("ca-key") ?? "\(Folder.parent(of: authorityPath))/ca.key"
    let folder = arguments.value("output") ?? "."
    let (certificate, key) = ("\(folder)/leaf.pem", "\(folder)/leaf.key")
    try CertFiles.mustBeFree([certificate, key], arguments)
    let (authorityPEM, authorityKey) = (try CertFiles.read(authorityPath), try CertFiles.read(keyPath))
    let authority = try CommandFailure.tls(try CertificateAuthority(certificate: authorityPEM, key: authorityKey))
    let leaf = try CommandFailure.tls(
      try authority.issueLeaf(names: arguments.positionals, days: count, now: WallClock.system.now()))
    try CertFiles.makeFolder(folder)
    try CertFiles.write(leaf.keyPEM, to: key, mode: 0o600)
    try CertFiles.write(leaf.certificatePEM, to: certificate)
    if arguments.has("json") {
      Output.write(["certificate": .string(certificate), "privateKey": .string(key)])
    } else {
      Output.write("\(certificate)\n\(key)\n")
    }
  }
}

extension Verb {
  static let certProfile = Verb(
    words: ["cert", "profile"], summary: "Create a profile that installs an authority on Apple devices.",
    options: [
      .value("ca", "PEM", "The authority's certificate (ca.pem)."),
      .value("output", "FILE", "The profile to write (also -o; packhouse.mobileconfig)."), CertFiles.force,
      .flag("json", "Print the path as JSON."),
    ],
    details: """
      Open it on the device, install it in Settings, and turn on full trust under
      Settings > General > About > Certificate Trust Settings. It contains the certificate but no key.
      """
  ) { arguments throws(CommandFailure) in
    let output = arguments.value("output") ?? "packhouse.mobileconfig"
    try CertFiles.mustBeFree([output], arguments)
    let authority = try CertFiles.read(arguments.value("ca") ?? "ca.pem")
    let profile = try CommandFailure.tls(try TrustProfile(authority: authority))
    try CertFiles.write(profile.bytes, to: output)
    if arguments.has("json") {
      Output.write(["profile": .string(output)])
    } else {
      Output.write("\(output)\n")
    }
  }
}

extension Verb {
  static let certCheck = Verb(
    words: ["cert", "check"], summary: "Check a server certificate against what Apple devices accept.",
    positionals: "FILE.pem", count: 1...1,
    options: [
      .value("key", "PEM", "The private key, to check that it belongs to the certificate."),
      .value("host", "NAME", "The name or address that devices use."),
      .value("ca", "PEM", "The root that devices trust through a profile (the chain's own, or the system's)."),
      .flag("json", "Print the checks as JSON."),
    ],
    details: "FILE contains the server certificate first, then the authorities. Exits with 65 when anything is wrong."
  ) { arguments throws(CommandFailure) in
    let chain = try CertFiles.read(arguments.positionals[0])
    let key = try arguments.value("key").map { path throws(CommandFailure) in try CertFiles.read(path) }
    let authority = try arguments.value("ca").map { path throws(CommandFailure) in try CertFiles.read(path) }
    let checks = try CommandFailure.tls(
      try CertificateExamination.examine(
        chain: chain, key: key, host: arguments.value("host"), trust: authority.map { .only($0) } ?? .chainItself,
        now: WallClock.system.now()))
    let report = CheckupReport(checks.map(Finding.init))
    if arguments.has("json") { Output.write(report.json) } else { Output.write(report.text) }
    if report.exitCode != 0 { throw CommandFailure("", .dataError) }
  }
}

/// The files that the certificate verbs read and write.
enum CertFiles {
  static let force = Verb.Option.flag("force", "Replace existing files.")
  private static let limit = 1 << 20

  /// Throws when something is at one of the paths, unless `--force` was given. Checked before anything is made.
  static func mustBeFree(_ paths: [String], _ arguments: Arguments) throws(CommandFailure) {
    guard !arguments.has("force") else { return }
    for path in paths where isSymbolicLink(path) || (try? FileStatus.of(path)) != nil {
      throw CommandFailure(
        "\(path) exists already, and a lost key cannot be recovered; pass --force to replace it.",
        .cannotCreate)
    }
  }

  /// Writes a file whole or not at all.
  static func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o644) throws(CommandFailure) {
    do throws(SystemFailure) { try AtomicFile.write(bytes, to: path, mode: mode) } catch {
      throw CommandFailure(error.sentence, .cannotCreate)
    }
  }

  static func makeFolder(_ path: String) throws(CommandFailure) {
    do throws(SystemFailure) { try Folder.create(path, mode: 0o700) } catch {
      throw CommandFailure(error.sentence, .cannotCreate)
    }
  }

  static func read(_ path: String) throws(CommandFailure) -> PEMText {
    do throws(SystemFailure) { return PEMText(file: path, bytes: try readFile(path, limit: limit)) } catch {
      throw CommandFailure(error.sentence, .noInput)
    }
  }
}
