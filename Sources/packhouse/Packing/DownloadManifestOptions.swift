import AssetPacks
import JSONText
import Packing

/// What the verbs that write download manifests have in common.
enum DownloadManifestOptions {
  static let all: [Verb.Option] =
    Verb.Option.limits + [
      .value("app", "BUNDLE_ID", "The app."),
      .value("base-url", "URL", "What the links begin with, https://…; the rest is apps/APP/packs/VERSION/PACK."),
      .value("platform", "PLATFORM", "Only packs for iOS, macOS, tvOS or visionOS; without it, all packs."),
      .value("output", "FILE", "The manifest to write (also -o); without it, to standard output."),
      .flag("force", "Replace a file that is there already."),
      .flag("no-sha256", "Do not write the archive's SHA-256 into userInfo.sha256."),
      .value("first-version", "NUMBER", "The version of packs that were not in the manifest before (1)."),
      .flag("json", "Print what was done as JSON; with -o only."), .flag("quiet", "Print nothing but errors."),
    ]

  /// The manifest to make. What is not given is taken from `old`.
  static func manifest(_ arguments: Arguments, old: ReceivedManifest? = nil) throws(CommandFailure) -> StaticManifest {
    let known = old.flatMap { StaticManifest(of: $0) }
    let app: BundleID?
    let base: PublicBaseURL?
    do throws(AssetPackFailure) {
      app = try arguments.value("app").map { text throws(AssetPackFailure) in try BundleID(text) } ?? known?.app
      base =
        try arguments.value("base-url").map { text throws(AssetPackFailure) in try PublicBaseURL(text) }
        ?? known?.baseURL
    } catch { throw CommandFailure("\(error.sentence).", .usage) }
    guard let app, let base else {
      let missing = app == nil ? "--app" : "--base-url"
      let reason = old == nil ? "" : ", because the old manifest's links do not tell"
      throw CommandFailure("\(missing) is missing\(reason); see --help.", .usage)
    }
    var manifest = StaticManifest(app: app, baseURL: base)
    manifest.platform = try arguments.platforms().first
    manifest.recordsHash = !arguments.has("no-sha256")
    if let text = arguments.value("first-version") {
      do throws(AssetPackFailure) { manifest.firstVersion = try VersionNumber(text: text) } catch {
        throw CommandFailure("--first-version: \(error.sentence).", .usage)
      }
    }
    return manifest
  }

  /// Writes the manifest and says what became of each pack, and where its archive belongs.
  static func write(
    _ result: StaticManifest.Result, _ arguments: Arguments, replaces: String? = nil
  ) throws(CommandFailure) {
    try Output.write(result.bytes, for: arguments, replaces: replaces)
    for warning in result.warnings where !arguments.has("quiet") { Output.tell("warning: \(warning)\n") }
    guard let output = arguments.value("output") else { return }
    if arguments.has("json") {
      Output.write([
        "output": .string(output), "packs": .array(result.rows.map(json)),
        "warnings": .array(result.warnings.map { .string($0) }),
      ])
    } else if !arguments.has("quiet") {
      Output.write("\(output):\n")
      for row in result.rows { Output.write("  \(text(row))\n") }
    }
  }

  private static func text(_ row: StaticManifest.Row) -> String {
    switch row.change {
    case .new, .updated:
      "\(row.id) version \(row.version), \(row.change.rawValue): upload \(row.path ?? "") as \(row.url)"
    case .unchanged, .kept: "\(row.id) version \(row.version), \(row.change.rawValue)"
    case .removed: "\(row.id) version \(row.version), removed: devices delete it"
    }
  }

  private static func json(_ row: StaticManifest.Row) -> JSONValue {
    [
      "assetPackID": .string(row.id.text), "change": .string(row.change.rawValue),
      "version": .integer(row.version.value), "previousVersion": row.previous.map { .integer($0.value) } ?? .null,
      "file": .optional(row.path), "url": .string(row.url),
    ]
  }
}
