import JSONText
import Packing

extension Verb {
  static let downloadManifestCheck = Verb(
    words: ["download-manifest", "check"], summary: "Compare a download manifest with the archives it should list.",
    positionals: "MANIFEST.json PACK.aar…", count: 2...1001,
    options: Verb.Option.limits + [
      .value("platform", "PLATFORM", "The platform that the manifest is for."),
      .flag("json", "Print the differences as JSON."), .flag("quiet", "Print nothing but differences."),
    ],
    details: "Exit code 65 when anything differs."
  ) { arguments throws(CommandFailure) in
    let path = arguments.positionals[0]
    let platform = try arguments.platforms().first
    let limits = try arguments.limits()
    let (count, differences) = try packing { () throws(PackingFailure) in
      let manifest = try StaticManifestCheck.read(path)
      let packs = try StaticPack.read(Array(arguments.positionals.dropFirst()), limits: limits)
      return (manifest.entries.count, StaticManifestCheck(manifest, packs, platform: platform).differences)
    }
    if arguments.has("json") {
      Output.write(["equal": .bool(differences.isEmpty), "differences": .array(differences.map { .string($0) })])
    } else if differences.isEmpty, !arguments.has("quiet") {
      Output.write("\(path): \(count) packs, as the archives have it\n")
    }
    guard differences.isEmpty else {
      throw CommandFailure(
        arguments.has("json") ? "" : differences.map { "\(path): \($0)" }.joined(separator: "\n"), .dataError)
    }
  }
}
