import Development
import JSONText
import TLS

extension Verb {
  static let certProfile = Verb(
    words: ["cert", "profile"], summary: "Make a profile that brings an authority onto Apple's devices.",
    options: [
      .value("ca", "PEM", "The authority's certificate (ca.pem)."),
      .value("output", "FILE", "The profile to write (also -o; packhouse.mobileconfig)."), CertFiles.force,
      .flag("json", "Print the path as JSON."),
    ],
    details: """
      Open it on the device, install it in Settings, and switch full trust on under
      Settings > General > About > Certificate Trust Settings. It holds the certificate and no key.
      """
  ) { arguments throws(CommandFailure) in
    let output = arguments.value("output") ?? "packhouse.mobileconfig"
    try CertFiles.mustBeFree([output], arguments)
    let authority = try CertFiles.read(arguments.value("ca") ?? "ca.pem")
    let profile = try certificates { () throws(TLSFailure) in try TrustProfile(authority: authority) }
    try CertFiles.write(profile.bytes, to: output)
    if arguments.has("json") {
      Output.write(["profile": .string(output)])
    } else {
      Output.write("\(output)\n")
    }
  }
}
