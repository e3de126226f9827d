import Packing

extension Verb {
  static let downloadManifestCreate = Verb(
    words: ["download-manifest", "create"], summary: "Make the first download manifest for a host of your own.",
    positionals: "PACK.aar…", count: 1...1000, options: DownloadManifestOptions.all,
    details: "For hosting without the daemon. Serve the archives first, then the manifest; later use update."
  ) { arguments throws(CommandFailure) in
    let manifest = try DownloadManifestOptions.manifest(arguments)
    let limits = try arguments.limits()
    let result = try packing { () throws(PackingFailure) in
      try manifest.create(try StaticPack.read(arguments.positionals, limits: limits))
    }
    try DownloadManifestOptions.write(result, arguments)
  }
}
