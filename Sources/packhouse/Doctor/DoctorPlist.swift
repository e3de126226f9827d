import Doctor

extension Verb {
  static let doctorPlist = Verb(
    words: ["doctor", "plist"], summary: "Check an app's Info.plist, alone or against what a server delivers.",
    positionals: "Info.plist", count: 1...1,
    options: DoctorInputs.serverOptions + [
      .value("entitlements", "FILE", "The app's entitlements, to look for the app group."),
      .flag("unmanaged", "The app's own extension downloads the packs."),
      .flag("json", "Print the checks as JSON."),
    ],
    details: "Exit code 65 when the list has an error, 78 when the server could not be asked."
  ) { arguments throws(CommandFailure) in
    let inputs = try DoctorInputs(arguments)
    var report = CheckupReport()
    var facts = DeliveryFacts()
    if inputs.hasServer {
      let outcome = try inputs.checkServer()
      facts = outcome.facts
      // The server's own health is the business of packhouse doctor; what hides the numbers is told.
      if outcome.manifest == nil { report.add(outcome.findings.filter { $0.level == .error }) }
    }
    report.add(try inputs.checkPlist(arguments.positionals[0], facts: facts))
    try DoctorInputs.finish(report, arguments)
  }
}
