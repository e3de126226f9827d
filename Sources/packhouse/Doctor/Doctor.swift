import Daemon
import Doctor

extension Verb {
  static let doctor = Verb(
    words: ["doctor"], summary: "Find what keeps devices from getting their packs, and say how to put it right.",
    options: [
      .value("config", "FILE", "The server's configuration, on the server's machine.")
    ] + DoctorInputs.serverOptions + [
      .value("plist", "FILE", "The app's Info.plist, XML or binary; best the one inside the built app."),
      .value("entitlements", "FILE", "The app's entitlements, to look for the app group."),
      .value("before", "FILE", "A manifest that devices had before, to find packs that are gone."),
      .flag("unmanaged", "The app's own extension downloads the packs."),
      .flag("json", "Print the checks as JSON."),
    ],
    details: """
      One line for each check: ok, warning or error, and below it the fix. Exit code 0 without an error, 65 when the
      errors are in a property list or a manifest alone, 78 otherwise.
      """
  ) { arguments throws(CommandFailure) in
    let inputs = try DoctorInputs(arguments)
    var report = CheckupReport()
    var facts = DeliveryFacts()
    guard arguments.value("config") != nil || inputs.hasServer || arguments.value("plist") != nil else {
      throw CommandFailure("Nothing to look at: give --config, --manifest, --server or --plist; see --help.", .usage)
    }
    if let path = arguments.value("config") {
      let outcome = ConfigurationCheckup(
        configuration: path, app: arguments.value("app"), track: arguments.value("track") ?? "production",
        authority: inputs.authority
      ).run()
      report.add(outcome.findings)
      facts = outcome.facts
    }
    if inputs.hasServer {
      let outcome = try inputs.checkServer()
      report.add(outcome.findings)
      let known = facts.installSizes
      facts = outcome.facts
      if facts.installSizes == nil { facts.installSizes = known }
    }
    if let path = arguments.value("plist") { report.add(try inputs.checkPlist(path, facts: facts)) }
    try DoctorInputs.finish(report, arguments)
  }
}
