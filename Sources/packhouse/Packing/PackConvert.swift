import AssetPacks
import JSONText
import Packing
import SystemIO

extension Verb {
  static let packConvert = Verb(
    words: ["pack", "convert"], summary: "Make a packaging manifest from a folder or a Steam depot build script.",
    positionals: "FOLDER | SCRIPT.vdf", count: 1...1,
    options: [
      .value("id", "ID", "The asset pack ID."),
      .value("policy", "POLICY", "essential, prefetch (the default) or onDemand."),
      .value("platform", "PLATFORM", "iOS, macOS, tvOS or visionOS; without it, all of them.", repeats: true),
      .value("output", "FILE", "The manifest to write (also -o); without it, to standard output."),
      .flag("force", "Replace the manifest when it is there already."),
      .value("content-root", "FOLDER", "Takes the place of the script's ContentRoot."),
      .flag("expand", "Write down the files that a script's wildcards match now, where no selector can say the same."),
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
        "--policy \(policy) is none; expected \(PackDownloadPolicy.names.joined(separator: ", ")).", .usage)
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
    let result = try packing { () throws(PackingFailure) in
      isScript ? try conversion.convert(depotScript: source) : try conversion.convert(folder: source)
    }
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
