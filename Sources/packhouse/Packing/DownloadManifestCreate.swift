import AssetPacks
import JSONText
import Packing
import Values

extension Verb {
  static let downloadManifestCreate = Verb(
    words: ["download-manifest", "create"], summary: "Make the first download manifest for a host of your own.",
    positionals: "PACK.aar…", count: 1...1000, options: DownloadManifestOptions.all,
    details: "For hosting without the daemon. Serve the archives first, then the manifest; later use update."
  ) { arguments throws(CommandFailure) in
    let manifest = try DownloadManifestOptions.manifest(arguments)
    let limits = try arguments.limits()
    try refuseRestart(arguments)
    let result = try packing { () throws(PackingFailure) in
      try manifest.create(try StaticPack.read(arguments.positionals, limits: limits))
    }
    try DownloadManifestOptions.write(result, arguments)
  }

  /// Over a manifest whose versions have risen none is made that begins anew: devices would never take an update again.
  private static func refuseRestart(_ arguments: Arguments) throws(CommandFailure) {
    guard let output = arguments.value("output"), let old = try? StaticManifestCheck.read(output) else { return }
    let first = try DownloadManifestOptions.manifest(arguments).firstVersion
    guard let risen = old.entries.first(where: { $0.pack.version > first }) else { return }
    throw CommandFailure(
      "\(output) lists the asset pack \(quoted(risen.pack.id.text)) in version \(risen.pack.version), and versions "
        + "never fall: use packhouse download-manifest update --from \(output), or take the file away.", .dataError)
  }
}
