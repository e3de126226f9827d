import Daemon
import Doctor
import JSONText
import PropertyLists

extension Verb {
  static let doctor = Verb(
    words: ["doctor"], summary: "Find what keeps devices from getting their packs, and how to fix it.",
    options: [
      .value("config", "FILE", "The server's configuration, on the server's machine.")
    ] + DoctorInputs.serverOptions + [
      .value("plist", "FILE", "The app's Info.plist, XML or binary; preferably from the built app."),
      .value("entitlements", "FILE", "The app's entitlements, to check the app group."),
      .value("before", "FILE", "An earlier manifest, to find packs that have disappeared."),
      .flag("unmanaged", "The app's own extension downloads the packs."),
      .flag("json", "Print the checks as JSON."),
    ],
    details: """
      One line for each check: ok, warning or error, with the fix below it. Exits with 0 without errors, 65 when all
      errors are in a property list or a manifest, and 78 otherwise.
      """
  ) { arguments throws(CommandFailure) in
    let inputs = try DoctorInputs(arguments)
    var report = CheckupReport()
    var facts = DeliveryFacts()
    guard arguments.value("config") != nil || inputs.hasServer || arguments.value("plist") != nil else {
      throw CommandFailure("Nothing to check: pass --config, --manifest, --server or --plist; see --help.", .usage)
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

extension Verb {
  static let doctorPlist = Verb(
    words: ["doctor", "plist"], summary: "Check an app's Info.plist, alone or against what a server delivers.",
    positionals: "Info.plist", count: 1...1,
    options: DoctorInputs.serverOptions + [
      .value("entitlements", "FILE", "The app's entitlements, to check the app group."),
      .flag("unmanaged", "The app's own extension downloads the packs."),
      .flag("json", "Print the checks as JSON."),
    ],
    details: "Exits with 65 when the list has an error, 78 when the server could not be reached."
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

extension Verb {
  static let doctorPrintPlist = Verb(
    words: ["doctor", "print-plist"], summary: "Print what an app's Info.plist needs, with the numbers of a manifest.",
    options: DoctorInputs.serverOptions + [
      .value("app-group", "GROUP", "The app group (group. and the bundle ID)."),
      .value("headroom", "PERCENT", "Room for packs to grow, added to each number (0)."),
      .flag("json", "Print the keys and values as JSON."),
    ],
    details: """
      Paste it into the <dict> of the Info.plist. An app in the store keeps its numbers: leave room for packs to grow.
      Install sizes need the admin API: --server with --token and --app.
      """
  ) { arguments throws(CommandFailure) in
    let inputs = try DoctorInputs(arguments)
    let text = arguments.value("headroom") ?? "0"
    guard let headroom = Int64(text), (0...1000).contains(headroom) else {
      throw CommandFailure("--headroom must be a whole number from 0 to 1000, not \(text).", .usage)
    }
    let outcome = try inputs.checkServer()
    guard outcome.manifest != nil else {
      let lines = outcome.findings.filter { $0.level == .error }.map { "\($0.sentence) \($0.fix ?? "")" }
      throw CommandFailure(lines.joined(separator: "\n"), .unavailable)
    }
    let group = arguments.value("app-group") ?? "group.\(arguments.value("app") ?? "com.example.app")"
    let block = RestrictionsBlock(facts: outcome.facts, appGroup: group, headroom: headroom)
    if arguments.has("json") {
      Output.write(json(.dictionary(block.members)))
    } else {
      Output.write(block.xml)
    }
    if outcome.facts.installSizes == nil {
      Output.tell("BAEssentialMaxInstallSize and BAMaxInstallSize are left out: ask the admin API with --token.\n")
    }
  }

  /// The kinds of values that the block has.
  private static func json(_ list: PropertyList) -> JSONValue {
    switch list {
    case .string(let text): .string(text)
    case .integer(let number): .integer(number)
    case .bool(let flag): .bool(flag)
    case .array(let elements): .array(elements.map(json))
    case .dictionary(let members): .object(JSONObject(members.members.map { ($0.key, json($0.value)) }))
    case .real, .date, .data: .null
    }
  }
}
