import AssetPacks
import JSONText
import PackStore

extension Verb {
  static let release = Verb(
    words: ["release"], summary: "Make versions live on a track, all of them or none.", positionals: "PACK[@VERSION]…",
    count: 1...1000,
    options: AdminClient.options + [
      .value("app", "BUNDLE_ID", "The app."),
      .value("track", "TRACK", "production, beta or internal."),
      .value("confirm-removal", "PACK", "A pack that may disappear from a manifest; devices delete it.", repeats: true),
      .flag("json", "Print what was released as JSON."),
    ] + ReleasePreviewText.options,
    details: "Without @VERSION, the newest complete version is used."
  ) { arguments throws(CommandFailure) in try release(arguments) }

  private static func release(_ arguments: Arguments) throws(CommandFailure) {
    let bundleID = try arguments.required("app")
    let track = try arguments.required("track")
    guard Track(rawValue: track) != nil else {
      throw CommandFailure(
        "--track must be one of \(Track.allCases.map(\.rawValue).joined(separator: ", ")), not \(track).", .usage)
    }
    var packs: [JSONValue] = []
    for text in arguments.positionals { packs.append(try pack(text)) }
    let client = try AdminClient(arguments)
    if arguments.has("preview") {
      return try preview(arguments, track: track, packs: packs, app: try client.app(bundleID).id, client)
    }
    let answer = try client.post(
      "v1/releases",
      [
        "data": [
          "type": "releases",
          "attributes": [
            "track": .string(track), "packs": .array(packs),
            "confirmedRemovals": .array(arguments.all("confirm-removal").map { .string($0) }),
          ],
          "relationships": AdminClient.relationship("app", "apps", try client.app(bundleID).id),
        ]
      ])
    let attributes = answer["data"]?["attributes"] ?? .null
    if arguments.has("json") { return Output.write(attributes) }
    for pack in attributes["packs"]?.array ?? [] {
      let previous = pack["previousVersion"]?.string.map { ", before: version \($0)" } ?? ""
      Output.write(
        "\(pack["assetPackIdentifier"]?.string ?? "") version \(pack["version"]?.string ?? ""): "
          + "\(pack["state"]?.string ?? "")\(previous)\n")
    }
    Output.write("\(attributes["manifestURL"]?.string ?? "")\n")
  }

  private static func preview(
    _ arguments: Arguments, track: String, packs: [JSONValue], app: String, _ client: AdminClient
  ) throws(CommandFailure) {
    let answer = try client.post(
      "v1/releasePreviews",
      [
        "data": [
          "type": "releasePreviews",
          "attributes": [
            "track": .string(track), "packs": .array(packs),
            "confirmedRemovals": .array(arguments.all("confirm-removal").map { .string($0) }),
            "allowances": try ReleasePreviewText.allowances(arguments),
          ],
          "relationships": AdminClient.relationship("app", "apps", app),
        ]
      ])
    let preview = ReleasePreviewText(attributes: answer["data"]?["attributes"] ?? .null)
    if arguments.has("json") { Output.write(preview.attributes) } else { Output.write(preview.text) }
    if let refusal = preview.refusal { throw refusal }
  }

  private static func pack(_ text: String) throws(CommandFailure) -> JSONValue {
    let pack = try PackReference(text)
    guard let number = pack.number else { return ["assetPackIdentifier": .string(pack.identifier)] }
    return ["assetPackIdentifier": .string(pack.identifier), "version": .string(String(number))]
  }
}

/// What `packhouse release --preview` shows.
struct ReleasePreviewText {
  /// The options of a preview.
  static let options: [Verb.Option] = [
    .flag("preview", "Show what it would cost devices, without releasing anything."),
    .value(
      "allowance", "KEY=SIZE",
      "With --preview: an allowance of the app's Info.plist to compare with, such as BADownloadAllowance=500MB.",
      repeats: true),
  ]

  /// The attribute `allowances` of the request, from `--allowance`.
  static func allowances(_ arguments: Arguments) throws(CommandFailure) -> JSONValue {
    var members: [(String, JSONValue)] = []
    for text in arguments.all("allowance") {
      let pieces = text.split(separator: "=", maxSplits: 1).map { String($0) }
      guard pieces.count == 2, let bytes = ByteText.parse(pieces[1]) else {
        throw CommandFailure(
          "--allowance \(text): expected KEY=SIZE, such as BADownloadAllowance=500MB.", .usage)
      }
      members.append((pieces[0], .integer(bytes)))
    }
    return .object(JSONObject(members))
  }

  let attributes: JSONValue

  /// What the release would end with; nil when it would not be refused.
  var refusal: CommandFailure? {
    guard let refusal = attributes["refusal"], let code = refusal["code"]?.string else { return nil }
    let exitCode = RefusalCode(rawValue: code)?.exitCode ?? .dataError
    return CommandFailure("The release would be refused: \(refusal["detail"]?.string ?? "")", exitCode, code: code)
  }

  var text: String {
    var table = TextTable([
      .init(heading: "platform"), .init(heading: "policy"), .init(heading: "first installation", isNumber: true),
      .init(heading: "unpacked", isNumber: true), .init(heading: "update", isNumber: true),
      .init(heading: "unpacked", isNumber: true),
    ])
    for device in attributes["devices"]?.array ?? [] {
      for policy in ["essential", "prefetch", "onDemand"] {
        let first = device["firstInstallation"]?[policy]
        let update = device["update"]?[policy]
        guard first?["packs"]?.int != 0 || update?["packs"]?.int != 0 else { continue }
        table.add([
          device["platform"]?.string ?? "", policy, bytes(first?["downloadBytes"]), bytes(first?["installBytes"]),
          bytes(update?["downloadBytes"]), bytes(update?["installBytes"]),
        ])
      }
    }
    var text = packs + "\n" + table.text
    let checks = (attributes["devices"]?.array ?? []).flatMap { device in
      (device["allowances"]?.array ?? []).map { check in
        "\(device["platform"]?.string ?? "")  \(check["key"]?.string ?? ""): \(bytes(check["needed"])) of "
          + "\(bytes(check["allowed"]))\(check["fits"]?.bool == true ? "" : "  TOO MUCH")\n"
      }
    }
    if !checks.isEmpty { text += "\n" + checks.joined() }
    for warning in attributes["warnings"]?.array ?? [] where warning["refuses"]?.bool != true {
      text += "\nwarning: \(warning["description"]?.string ?? "") (\(warning["code"]?.string ?? ""))\n"
    }
    return text
  }

  private var packs: String {
    (attributes["packs"]?.array ?? []).map { pack in
      let previous = pack["previousVersion"]?.string.map { "version \($0)" } ?? "nothing"
      return "\(pack["assetPackIdentifier"]?.string ?? ""): \(previous) -> version \(pack["version"]?.string ?? ""), "
        + "\(bytes(pack["downloadSize"])), \(pack["downloadPolicy"]?.string ?? "")\n"
    }.joined()
  }

  private func bytes(_ value: JSONValue?) -> String { TextTable.bytes(value?.int ?? 0) }
}

extension Verb {
  static let rollback = Verb(
    words: ["rollback"], summary: "Make the bytes of an earlier version live again, under a new number.",
    positionals: "PACK", count: 1...1,
    options: AdminClient.options + [
      TrackOptions.app, TrackOptions.track,
      .value("to", "VERSION", "The version to return to (by default the one that was live before)."),
      TrackOptions.confirm, .flag("json", "Print what was done as JSON."),
    ],
    details: "Devices ignore lower numbers, so the old bytes get the pack's next version number."
  ) { arguments throws(CommandFailure) in try rollback(arguments) }

  private static func rollback(_ arguments: Arguments) throws(CommandFailure) {
    let bundleID = try arguments.required("app")
    let pack = arguments.positionals.first ?? ""
    var attributes = JSONObject([
      ("track", .string(try TrackOptions.track(arguments))), ("assetPackIdentifier", .string(pack)),
      ("confirmedRemovals", TrackOptions.confirmed(arguments)),
    ])
    if let number = arguments.value("to") {
      attributes.set("version", .string(try TrackOptions.version(number, in: "--to")))
    }
    let client = try AdminClient(arguments)
    let answer = try client.post(
      "v1/rollbacks",
      [
        "data": [
          "type": "rollbacks", "attributes": .object(attributes),
          "relationships": AdminClient.relationship("app", "apps", try client.app(bundleID).id),
        ]
      ])
    let done = answer["data"]?["attributes"] ?? .null
    if arguments.has("json") { return Output.write(done) }
    let (version, source) = (done["version"]?.string ?? "", done["sourceVersion"]?.string ?? "")
    Output.write(
      "\(pack) version \(version), a copy of version \(source), is \(done["state"]?.string ?? ""), "
        + "before: version \(done["previousVersion"]?.string ?? "")\n\(done["manifestURL"]?.string ?? "")\n")
  }
}
