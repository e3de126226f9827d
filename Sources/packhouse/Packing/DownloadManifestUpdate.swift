import AssetPacks
import Packing

extension Verb {
  static let downloadManifestUpdate = Verb(
    words: ["download-manifest", "update"], summary: "Make the download manifest that follows another one.",
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
    let old = try packing { () throws(PackingFailure) in try StaticManifestCheck.read(from) }
    var manifest = try DownloadManifestOptions.manifest(arguments, old: old)
    for text in arguments.all("confirm-removal") {
      do throws(AssetPackFailure) { manifest.confirmedRemovals.insert(try AssetPackID(text)) } catch {
        throw CommandFailure("--confirm-removal: \(error.sentence).", .usage)
      }
    }
    manifest.keepsOthers = arguments.has("keep-others")
    let final = manifest
    let limits = try arguments.limits()
    let result = try packing { () throws(PackingFailure) in
      try final.update(old, try StaticPack.read(arguments.positionals, limits: limits))
    }
    try DownloadManifestOptions.write(result, arguments, replaces: from)
  }
}
