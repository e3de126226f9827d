import JSONText

extension Verb {
  static let explain = Verb(
    words: ["explain"], summary: "Show which version of each pack a client gets, and why.",
    options: AdminClient.options + [
      TrackOptions.app, TrackOptions.track, .value("platform", "PLATFORM", "iOS, macOS, tvOS or visionOS (all)."),
      .value("lane", "LANE", "The lane that the client asks for."),
      .value("client-key", "KEY", "What the client sends in Packhouse-Client-Key."),
      .value("address", "ADDRESS", "The client's address, which is used when it sends no key."),
      .flag("json", "Print it as JSON."),
    ]
  ) { arguments throws(CommandFailure) in try explain(arguments) }

  private static func explain(_ arguments: Arguments) throws(CommandFailure) {
    let bundleID = try arguments.required("app")
    var query = [(name: "track", value: try TrackOptions.track(arguments))]
    for (option, parameter) in [
      ("platform", "platform"), ("lane", "lane"), ("client-key", "clientKey"), ("address", "address"),
    ] {
      if let value = arguments.value(option) { query.append((name: parameter, value: value)) }
    }
    let client = try AdminClient(arguments)
    let answer = try client.get("v1/apps/\(try client.app(bundleID).id)/explain", query)
    let attributes = answer["data"]?["attributes"] ?? .null
    if arguments.has("json") { return Output.write(attributes) }
    Output.write("\(attributes["manifestURL"]?.string ?? "")\n")
    if case .bool(false)? = attributes["served"] { Output.write("No manifest is served: clients get 404.\n") }
    for pack in attributes["packs"]?.array ?? [] {
      Output.write(
        "  \(pack["assetPackIdentifier"]?.string ?? "")  \(pack["version"]?.string ?? "–")  "
          + "\(pack["detail"]?.string ?? "")\n")
    }
  }
}
