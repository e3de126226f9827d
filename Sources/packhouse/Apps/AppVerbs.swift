import AssetPacks
import JSONText

extension Verb {
  static let appList = Verb(
    words: ["app", "list"], summary: "List the server's apps.",
    options: AdminClient.options + [.flag("json", "Print them as JSON.")]
  ) { arguments throws(CommandFailure) in
    let apps = try AdminClient(arguments).list("v1/apps")
    if arguments.has("json") { return Output.write(["apps": .array(apps.map(attributes))]) }
    var table = TextTable([
      .init(heading: "bundle id"), .init(heading: "name"), .init(heading: "review"), .init(heading: "hosts"),
    ])
    for app in apps {
      let attributes = attributes(app)
      table.add([
        attributes["bundleId"]?.string ?? "", attributes["name"]?.string ?? "",
        attributes["reviewPolicy"]?.string ?? "",
        (attributes["domainAllowList"]?.array ?? []).compactMap(\.string).joined(separator: " "),
      ])
    }
    Output.write(apps.isEmpty ? "The server has no apps yet.\n" : table.text)
  }

  static let appCreate = Verb(
    words: ["app", "create"], summary: "Create an app.", positionals: "BUNDLE_ID", count: 1...1,
    options: AdminClient.options + fields
  ) { arguments throws(CommandFailure) in
    var attributes = try change(arguments)
    attributes.set("bundleId", .string(arguments.positionals[0]))
    let answer = try AdminClient(arguments).post(
      "v1/apps", ["data": ["type": "apps", "attributes": .object(attributes)]])
    show(answer, arguments)
  }

  static let appSet = Verb(
    words: ["app", "set"], summary: "Change an app.", positionals: "BUNDLE_ID", count: 1...1,
    options: AdminClient.options + fields
  ) { arguments throws(CommandFailure) in
    let attributes = try change(arguments)
    if attributes.isEmpty {
      throw CommandFailure(
        "Nothing to change: pass --name, --review or --host. For its quota, use packhouse quota.", .usage)
    }
    let client = try AdminClient(arguments)
    let id = try client.app(arguments.positionals[0]).id
    let answer = try client.patch(
      "v1/apps/\(id)", ["data": ["type": "apps", "id": .string(id), "attributes": .object(attributes)]])
    show(answer, arguments)
  }

  private static let fields: [Verb.Option] = [
    .value("name", "TEXT", "A name for people."),
    .value("review", "POLICY", "none, required or fourEyes."),
    .value("host", "PATTERN", "A host of its domain allow-list; the hosts given replace the list.", repeats: true),
    .flag("json", "Print the app as JSON."),
  ]

  private static func change(_ arguments: Arguments) throws(CommandFailure) -> JSONObject {
    var attributes = JSONObject()
    if let name = arguments.value("name") { attributes.set("name", .string(name)) }
    if let policy = arguments.value("review") {
      guard ReviewPolicy(rawValue: policy) != nil else {
        throw CommandFailure("--review must be none, required or fourEyes, not \(policy).", .usage)
      }
      attributes.set("reviewPolicy", .string(policy))
    }
    let hosts = arguments.all("host")
    if !hosts.isEmpty { attributes.set("domainAllowList", .array(hosts.map { .string($0) })) }
    return attributes
  }

  private static func attributes(_ app: JSONValue) -> JSONValue {
    var attributes = app["attributes"]?.object ?? JSONObject()
    attributes.set("id", app["id"] ?? .null)
    return .object(attributes)
  }

  private static func show(_ answer: JSONValue, _ arguments: Arguments) {
    let app = attributes(answer["data"] ?? .null)
    if arguments.has("json") { return Output.write(app) }
    let hosts = (app["domainAllowList"]?.array ?? []).compactMap(\.string).joined(separator: " ")
    Output.write("\(app["bundleId"]?.string ?? ""): review \(app["reviewPolicy"]?.string ?? ""), hosts \(hosts)\n")
  }
}
