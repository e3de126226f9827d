import JSONText
import Packing

extension Verb {
  static let packVerify = Verb(
    words: ["pack", "verify"], summary: "Check that an archive may go out as a pack.", positionals: "FILE.aar",
    count: 1...1,
    options: [
      .strict, .profile, .flag("json", "Print the verdict as JSON."), .flag("quiet", "Print nothing but errors."),
    ],
    details: "These are the rules that the server has for uploads. Exit code 65 when one is broken."
  ) { arguments throws(CommandFailure) in
    let path = arguments.positionals[0]
    let verification = PackVerification(
      try openArchive(path), profile: try arguments.profile(), isStrict: arguments.has("strict"))
    if arguments.has("json") {
      Output.write(verification.json)
    } else {
      for finding in verification.findings where finding.severity == .error || !arguments.has("quiet") {
        Output.tell("\(finding.severity.rawValue): \(path): \(finding.sentence)\n")
      }
      if verification.isAccepted, !arguments.has("quiet") {
        let count = verification.findings.count
        Output.write(
          "\(path): asset pack \(verification.assetPackID?.text ?? "") is in order"
            + (count == 0 ? "\n" : ", with \(count) warning\(count == 1 ? "" : "s")\n"))
      }
    }
    if !verification.isAccepted { throw CommandFailure("", .dataError) }
  }
}
