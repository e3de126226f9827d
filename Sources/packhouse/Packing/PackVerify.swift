import JSONText
import Packing

extension Verb {
  static let packVerify = Verb(
    words: ["pack", "verify"], summary: "Check that an archive may go out as a pack.", positionals: "FILE.aar",
    count: 1...1,
    options: Verb.Option.limits + [
      .strict, .profile, .flag("json", "Print the verdict as JSON."), .flag("quiet", "Print nothing but errors."),
    ],
    details: "These are the rules that the server has for uploads. Exit code 65 when one is broken."
  ) { arguments throws(CommandFailure) in
    let path = arguments.positionals[0]
    let (profile, limits) = (try arguments.profile(), try arguments.limits())
    let verification = try ArchiveReading.open(path, arguments) { file throws(CommandFailure) in
      PackVerification(file, profile: profile, isStrict: arguments.has("strict"), limits: limits)
    }
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
