import AssetPacks
import JSONText

extension Verb {
  static let release = Verb(
    words: ["release"], summary: "Make versions live on a track, all together or none.", positionals: "PACK[@VERSION]…",
    count: 1...1000,
    options: AdminClient.options + [
      .value("app", "BUNDLE_ID", "The app."),
      .value("track", "TRACK", "production, beta or internal."),
      .value("confirm-removal", "PACK", "A pack that may disappear from a manifest; devices delete it.", repeats: true),
      .flag("json", "Print what was released as JSON."),
    ] + ReleasePreviewText.options,
    details: "Without @VERSION it takes the newest complete version."
  ) { arguments throws(CommandFailure) in try release(arguments) }

  private static func release(_ arguments: Arguments) throws(CommandFailure) {
    let bundleID = try arguments.required("app")
    let track = try arguments.required("track")
    guard Track(rawValue: track) != nil else {
      throw CommandFailure(
        "--track \(track) is none; expected \(Track.allCases.map(\.rawValue).joined(separator: ", ")).", .usage)
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
