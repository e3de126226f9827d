import JSONText
import Packing

extension Verb {
  static let packEvaluate = Verb(
    words: ["pack", "evaluate"], summary: "Check a packaging manifest and list what each selector takes.",
    positionals: "Manifest.json", count: 1...1,
    options: [
      .value(
        "against", "FILE", "An archive or packaging manifest of another pack, to find paths in both.", repeats: true),
      .profile, .strict, .flag("json", "Print everything as JSON."), .flag("quiet", "Print nothing but warnings."),
    ],
    details: "All packs of an app share one tree of paths on a device; --against finds what would collide in it."
  ) { arguments throws(CommandFailure) in
    let profile = try arguments.profile()
    let (evaluation, findings) = try packing { () throws(PackingFailure) in
      let evaluation = try PackEvaluation(arguments.positionals[0])
      var others: [DevicePaths] = []
      for path in arguments.all("against") { others.append(try DevicePaths.read(path)) }
      return (evaluation, evaluation.findings(profile: profile, against: others))
    }
    if arguments.has("json") {
      var document = evaluation.json
      document.set("errors", .array(findings.errors.map(\.json)))
      document.set("warnings", .array(findings.warnings.map(\.json)))
      Output.write(.object(document))
    } else if !arguments.has("quiet") {
      Output.write(evaluation.text)
    }
    let isStrict = arguments.has("strict")
    for finding in findings where !arguments.has("json") {
      Output.tell("\(isStrict ? "error" : finding.severity.rawValue): \(finding.sentence)\n")
    }
    if !(isStrict ? findings : findings.errors).isEmpty { throw CommandFailure("", .dataError) }
  }
}
