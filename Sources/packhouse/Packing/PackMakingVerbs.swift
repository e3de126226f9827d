import AssetPacks
import Glibc
import JSONText
import Packing
import SystemIO

extension Verb {
  static let packTemplate = Verb(
    words: ["pack", "template"], summary: "Write a sample packaging manifest that explains every key.",
    options: [
      .value("output", "FILE", "The file to write (also -o); without it, to standard output."),
      .flag("force", "Replace an existing file."),
      .flag("json", "Print where it went as JSON."), .flag("quiet", "Print nothing but errors."),
    ]
  ) { arguments throws(CommandFailure) in
    try Output.write(Array(ManifestTemplate.text.utf8), for: arguments)
    guard let output = arguments.value("output") else { return }
    if arguments.has("json") {
      Output.write(["output": .string(output)])
    } else if !arguments.has("quiet") {
      Output.write("\(output): edit it, then packhouse pack evaluate \(output) shows what it selects\n")
    }
  }
}

extension Verb {
  static let packConvert = Verb(
    words: ["pack", "convert"], summary: "Make a packaging manifest from a folder or a Steam depot build script.",
    positionals: "FOLDER | SCRIPT.vdf", count: 1...1,
    options: [
      .value("id", "ID", "The asset pack ID."),
      .value("policy", "POLICY", "essential, prefetch (the default) or onDemand."),
      .value("platform", "PLATFORM", "iOS, macOS, tvOS or visionOS; without it, all of them.", repeats: true),
      .value("output", "FILE", "The manifest to write (also -o); without it, to standard output."),
      .flag("force", "Replace an existing manifest."),
      .value("content-root", "FOLDER", "Use this folder instead of the script's ContentRoot."),
      .flag("expand", "Where no selector can express a wildcard of the script, list the files that it matches now."),
      .flag("json", "Print what the manifest selects as JSON; with -o only."),
      .flag("quiet", "Print nothing but errors."),
    ],
    details: "docs/formats.md says which selectors the lines of a depot script become."
  ) { arguments throws(CommandFailure) in try convert(arguments) }

  private static func convert(_ arguments: Arguments) throws(CommandFailure) {
    let source = arguments.positionals[0]
    let id = try arguments.required("id")
    var conversion: ManifestConversion
    do throws(AssetPackFailure) {
      conversion = ManifestConversion(try AssetPackID(id))
    } catch { throw CommandFailure("--id: \(error.sentence).", .usage) }
    let policy = arguments.value("policy") ?? "prefetch"
    guard let downloadPolicy = PackDownloadPolicy(name: policy) else {
      throw CommandFailure(
        "--policy must be one of \(PackDownloadPolicy.names.joined(separator: ", ")), not \(policy).", .usage)
    }
    conversion.downloadPolicy = downloadPolicy
    conversion.platforms = try arguments.platforms()
    conversion.output = arguments.value("output")
    conversion.contentRoot = arguments.value("content-root")
    conversion.expandsWildcards = arguments.has("expand")
    let isScript = source.lowercased().hasSuffix(".vdf")
    guard isScript || conversion.contentRoot == nil && !conversion.expandsWildcards else {
      throw CommandFailure("--content-root and --expand are for depot build scripts (.vdf).", .usage)
    }
    let result = try CommandFailure.packing(
      isScript ? try conversion.convert(depotScript: source) : try conversion.convert(folder: source))
    try Output.write(result.bytes, for: arguments)
    for note in result.notes where !arguments.has("quiet") { Output.tell("note: \(note)\n") }
    guard let output = conversion.output else { return }
    let size = result.contents.files.reduce(Int64(0)) { $0 + $1.size }
    if arguments.has("json") {
      Output.write([
        "output": .string(output), "assetPackID": .string(result.manifest.assetPackID.text),
        "selectors": .array(result.manifest.fileSelectors.map(\.json)),
        "files": .integer(result.contents.files.count), "contentSize": .integer(size),
        "notes": .array(result.notes.map { .string($0) }),
      ])
    } else if !arguments.has("quiet") {
      Output.write("\(output): selects \(result.contents.files.count) files, \(size) bytes\n")
    }
  }
}

extension Verb {
  static let packEvaluate = Verb(
    words: ["pack", "evaluate"], summary: "Check a packaging manifest and list the files that each selector matches.",
    positionals: "Manifest.json", count: 1...1,
    options: [
      .value(
        "against", "FILE", "An archive or packaging manifest of another pack, to find paths in both.", repeats: true),
      .profile, .strict, .flag("json", "Print everything as JSON."), .flag("quiet", "Print nothing but warnings."),
    ],
    details: "All packs of an app share one tree of paths on a device; --against finds what would collide in it."
  ) { arguments throws(CommandFailure) in
    let profile = try arguments.profile()
    let evaluation = try CommandFailure.packing(try PackEvaluation(arguments.positionals[0]))
    var others: [DevicePaths] = []
    for path in arguments.all("against") { others.append(try CommandFailure.packing(try DevicePaths.read(path))) }
    let findings = evaluation.findings(profile: profile, against: others)
    if arguments.has("json") {
      var document = evaluation.json
      document.set("errors", .array(findings.errors.map(\.json)))
      document.set("warnings", .array(findings.warnings.map(\.json)))
      Output.write(.object(document))
    } else if !arguments.has("quiet") {
      Output.write(evaluation.text)
    }
    let isStrict = arguments.has("strict")
    for finding in findings where !arguments.has("json") {
      Output.tell("\(isStrict ? "error" : finding.severity.rawValue): \(finding.sentence)\n")
    }
    if !(isStrict ? findings : findings.errors).isEmpty { throw CommandFailure("", .dataError) }
  }
}

extension Verb {
  static let packPackage = Verb(
    words: ["pack", "package"], summary: "Make an archive from a packaging manifest.", positionals: "Manifest.json",
    count: 1...1,
    options: [
      .value("output", "FILE.aar", "The archive to make (also -o)."),
      .flag("force", "Replace an existing archive."),
      .flag("sha256", "Write the hash of the content into userInfo.contentSHA256, so that apps can check it."),
      .value("mtime", "SECONDS|source", "The time of every entry since 1970, or each file's own (2000-01-01)."),
      .flag("json", "Print the result as JSON."),
      .flag("quiet", "Print nothing but errors."),
    ],
    details: "The same files give the same bytes, wherever and whenever they are packed. SOURCE_DATE_EPOCH is honoured."
  ) { arguments throws(CommandFailure) in
    let manifest = arguments.positionals[0]
    let output = try arguments.required("output")
    var builder = PackBuilder(toolsVersion: Program.toolsVersion)
    builder.time = try time(arguments.value("mtime"))
    builder.recordsContentHash = arguments.has("sha256")
    // The bytes in all are only known when the files have been looked at: the bar counts in ten thousandths.
    let bar = ProgressBar(
      "Packing", total: 10_000, isQuiet: arguments.has("quiet") || arguments.has("json"))
    builder.progress = { done, total in bar.show(total > 0 ? Int64(Double(done) / Double(total) * 10_000) : 0) }
    defer { bar.end() }
    do throws(PackingFailure) {
      let result = try builder.build(manifest, output: output, overwrites: arguments.has("force"))
      bar.end()
      if arguments.has("json") {
        var document = JSONObject([
          ("output", .string(output)), ("assetPackID", .string(result.manifest.assetPackID.text)),
          ("files", .integer(result.files)), ("contentSize", .integer(result.contentBytes)),
          ("downloadSize", .integer(result.archiveBytes)),
        ])
        if let hash = result.contentSHA256 { document.set(ContentDigest.key, .string(hash)) }
        Output.write(.object(document))
      } else if !arguments.has("quiet") {
        Output.write(
          "\(output): asset pack \(result.manifest.assetPackID.text), \(result.files) files, "
            + "\(result.contentBytes) bytes packed into \(result.archiveBytes)\n")
        for warning in result.manifest.warnings { Output.tell("warning: \(warning)\n") }
      }
    } catch {
      throw CommandFailure(error)
    }
  }

  private static func time(_ option: String?) throws(CommandFailure) -> PackBuilder.ModificationTime {
    if option == "source" { return .source }
    let environment = getenv("SOURCE_DATE_EPOCH").map { String(cString: $0) }
    guard let text = option ?? environment else { return .fixed(PackBuilder.defaultTime) }
    guard let seconds = Int64(text) else {
      throw CommandFailure(
        "\(option == nil ? "SOURCE_DATE_EPOCH" : "--mtime") must be seconds since 1970, not \(text).", .usage)
    }
    return .fixed(seconds)
  }
}
