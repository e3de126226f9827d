import JSONText
import SystemIO
import TLS

extension Verb {
  static let certDevCA = Verb(
    words: ["cert", "dev-ca"], summary: "Make a certificate authority of your own, for development.",
    options: [
      .value("output", "DIR", "Where ca.pem and ca.key go (also -o; this folder)."), CertFiles.force,
      .flag("json", "Print the paths as JSON."),
    ],
    details: """
      Devices trust it after two steps: install the profile (packhouse cert profile), then switch full trust on under
      Settings > General > About > Certificate Trust Settings. Whoever has ca.key can pose as any server to them.
      """
  ) { arguments throws(CommandFailure) in
    let folder = arguments.value("output") ?? "."
    let (certificate, key) = ("\(folder)/ca.pem", "\(folder)/ca.key")
    try CertFiles.mustBeFree([certificate, key], arguments)
    let authority = try certificates { () throws(TLSFailure) in
      try CertificateAuthority.makeDevelopment(now: WallClock.system.now())
    }
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
