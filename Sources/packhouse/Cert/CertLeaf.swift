import JSONText
import SystemIO
import TLS

extension Verb {
  static let certLeaf = Verb(
    words: ["cert", "leaf"], summary: "Make a server's certificate, signed by an authority of your own.",
    positionals: "NAME | ADDRESS…", count: 1...100,
    options: [
      .value("ca", "PEM", "The authority's certificate (ca.pem)."),
      .value("ca-key", "PEM", "Its private key (ca.key beside the certificate)."),
      .value("days", "N", "How long it is good, 1 to 825 (398)."),
      .value("output", "DIR", "Where leaf.pem and leaf.key go (also -o; this folder)."), CertFiles.force,
      .flag("json", "Print the paths as JSON."),
    ],
    details: "It is always for localhost, 127.0.0.1 and ::1 too."
  ) { arguments throws(CommandFailure) in
    let days = arguments.value("days") ?? "398"
    guard let count = Int(days), (1...825).contains(count) else {
      throw CommandFailure("--days \(days) is no number from 1 to 825, which is what devices accept.", .usage)
    }
    let authorityPath = arguments.value("ca") ?? "ca.pem"
    let keyPath = arguments.value("ca-key") ?? "\(Folder.parent(of: authorityPath))/ca.key"
    let folder = arguments.value("output") ?? "."
    let (certificate, key) = ("\(folder)/leaf.pem", "\(folder)/leaf.key")
    try CertFiles.mustBeFree([certificate, key], arguments)
    let (authorityPEM, authorityKey) = (try CertFiles.read(authorityPath), try CertFiles.read(keyPath))
    let leaf = try certificates { () throws(TLSFailure) in
      let authority = try CertificateAuthority(certificate: authorityPEM, key: authorityKey)
      return try authority.issueLeaf(names: arguments.positionals, days: count, now: WallClock.system.now())
    }
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
