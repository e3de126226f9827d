import Doctor
import SystemIO
import TLS

extension Verb {
  static let certCheck = Verb(
    words: ["cert", "check"], summary: "Check a server's certificate against what Apple's devices accept.",
    positionals: "FILE.pem", count: 1...1,
    options: [
      .value("key", "PEM", "The private key, to see whether it belongs to the certificate."),
      .value("host", "NAME", "The name or address that devices use."),
      .value("ca", "PEM", "The root that devices trust by a profile (the chain's own, else the system's)."),
      .flag("json", "Print the checks as JSON."),
    ],
    details: "FILE holds the server's certificate first, then the authorities. Exit code 65 when anything is wrong."
  ) { arguments throws(CommandFailure) in
    let chain = try CertFiles.read(arguments.positionals[0])
    let key = try arguments.value("key").map { path throws(CommandFailure) in try CertFiles.read(path) }
    let authority = try arguments.value("ca").map { path throws(CommandFailure) in try CertFiles.read(path) }
    let checks = try certificates { () throws(TLSFailure) in
      try CertificateExamination.examine(
        chain: chain, key: key, host: arguments.value("host"), trust: authority.map { .only($0) } ?? .chainItself,
        now: WallClock.system.now())
    }
    let report = CheckupReport(checks.map(Finding.init))
    if arguments.has("json") { Output.write(report.json) } else { Output.write(report.text) }
    if report.exitCode != 0 { throw CommandFailure("", .dataError) }
  }
}
