import Glibc
import JSONText
import Packing

extension Verb {
  static let packPackage = Verb(
    words: ["pack", "package"], summary: "Make an archive from a packaging manifest.", positionals: "Manifest.json",
    count: 1...1,
    options: [
      .value("output", "FILE.aar", "The archive to make (also -o)."),
      .flag("force", "Replace the archive when it is there already."),
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
        "\(text) is no time: expected seconds since 1970\(option == nil ? " in SOURCE_DATE_EPOCH" : "").", .usage)
    }
    return .fixed(seconds)
  }
}
