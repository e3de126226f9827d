import Doctor
import JSONText
import PropertyLists

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
      throw CommandFailure("--headroom \(text) is no number from 0 to 1000.", .usage)
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
