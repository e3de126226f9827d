import AssetPacks
import JSONText
import Packing
import Values

extension Verb {
  static let downloadManifestCreate = Verb(
    words: ["download-manifest", "create"], summary: "Create the first download manifest for your own host.",
    positionals: "PACK.aar…", count: 1...1000, options: DownloadManifestOptions.all,
    details: "For hosting without the daemon. Upload the archives first, then the manifest; later use update."
  ) { arguments throws(CommandFailure) in
    let manifest = try DownloadManifestOptions.manifest(arguments)
    let limits = try arguments.limits()
    try refuseRestart(arguments)
    let result = try CommandFailure.packing(
      try manifest.create(try StaticPack.read(arguments.positionals, limits: limits)))
    try DownloadManifestOptions.write(result, arguments)
  }

  /// Over a manifest whose versions have risen none is made that begins anew: devices would never take an update again.
  private static func refuseRestart(_ arguments: Arguments) throws(CommandFailure) {
    guard let output = arguments.value("output"), let old = try? StaticManifestCheck.read(output) else { return }
    let first = try DownloadManifestOptions.manifest(arguments).firstVersion
    guard let risen = old.entries.first(where: { $0.pack.version > first }) else { return }
    throw CommandFailure(
      "\(output) lists the asset pack \(quoted(risen.pack.id.text)) in version \(risen.pack.version), and versions "
        + "must never fall: use packhouse download-manifest update --from \(output), or delete the file.", .dataError)
  }
}

extension Verb {
  static let downloadManifestUpdate = Verb(
    words: ["download-manifest", "update"], summary: "Create the next version of a download manifest.",
    positionals: "PACK.aar…", count: 1...1000,
    options: [.value("from", "OLD.json", "The manifest that devices have now.")] + DownloadManifestOptions.all + [
      .value("confirm-removal", "PACK", "A pack that may disappear; devices delete it.", repeats: true),
      .flag("keep-others", "Keep the packs of the old manifest for which no archive is given."),
    ],
    details: """
      The same bytes keep their version, other bytes get the next one. A pack that is in the old manifest and not among
      the archives is refused unless its removal is confirmed. --app and --base-url are taken from the old manifest.
      -o may name the old manifest itself.
      """
  ) { arguments throws(CommandFailure) in
    let from = try arguments.required("from")
    let old = try CommandFailure.packing(try StaticManifestCheck.read(from))
    var manifest = try DownloadManifestOptions.manifest(arguments, old: old)
    for text in arguments.all("confirm-removal") {
      do throws(AssetPackFailure) { manifest.confirmedRemovals.insert(try AssetPackID(text)) } catch {
        throw CommandFailure("--confirm-removal: \(error.sentence).", .usage)
      }
    }
    manifest.keepsOthers = arguments.has("keep-others")
    let limits = try arguments.limits()
    let packs = try CommandFailure.packing(try StaticPack.read(arguments.positionals, limits: limits))
    let result = try CommandFailure.packing(try manifest.update(old, packs))
    try DownloadManifestOptions.write(result, arguments, replaces: from)
  }
}

extension Verb {
  static let downloadManifestCheck = Verb(
    words: ["download-manifest", "check"],
    summary: "Compare a download manifest with the archives that it should list.",
    positionals: "MANIFEST.json PACK.aar…", count: 2...1001,
    options: Verb.Option.limits + [
      .value("platform", "PLATFORM", "The platform that the manifest is for."),
      .flag("json", "Print the differences as JSON."), .flag("quiet", "Print only differences."),
    ],
    details: "Exits with 65 when anything differs."
  ) { arguments throws(CommandFailure) in
    let path = arguments.positionals[0]
    let platform = try arguments.platforms().first
    let limits = try arguments.limits()
    let manifest = try CommandFailure.packing(try StaticManifestCheck.read(path))
    let packs = try CommandFailure.packing(
      try StaticPack.read(Array(arguments.positionals.dropFirst()), limits: limits))
    let count = manifest.entries.count
    let differences = StaticManifestCheck(manifest, packs, platform: platform).differences
    if arguments.has("json") {
      Output.write(["equal": .bool(differences.isEmpty), "differences": .array(differences.map { .string($0) })])
    } else if differences.isEmpty, !arguments.has("quiet") {
      Output.write("\(path): \(count) packs, all as in the archives\n")
    }
    guard differences.isEmpty else {
      throw CommandFailure(
        arguments.has("json") ? "" : differences.map { "\(path): \($0)" }.joined(separator: "\n"), .dataError)
    }
  }
}

/// What the verbs that write download manifests have in common.
enum DownloadManifestOptions {
  static let all: [Verb.Option] =
    Verb.Option.limits + [
      .value("app", "BUNDLE_ID", "The app."),
      .value("base-url", "URL", "What the links begin with, https://…; the rest is apps/APP/packs/VERSION/PACK."),
      .value("platform", "PLATFORM", "Only packs for iOS, macOS, tvOS or visionOS; without it, all packs."),
      .value("output", "FILE", "The manifest to write (also -o); without it, to standard output."),
      .flag("force", "Replace an existing file."),
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
      let reason = old == nil ? "" : ", because it cannot be read from the links of the old manifest"
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
