import Glibc
import JSONText
import PackhouseClient

extension Verb {
  static let fetchEnsure = Verb(
    words: ["fetch", "ensure"], summary: "Download packs that are not in the cache yet.", positionals: "PACK…",
    count: 1...Int.max,
    options: FetchOptions.common + FetchOptions.downloads + [
      .flag("latest", "Update packs that are older than in the manifest.")
    ],
    details: "Fetches the manifest first. Without --latest, packs in the cache stay as they are."
  ) { arguments throws(CommandFailure) in
    let ids = arguments.positionals
    let isLatest = arguments.has("latest")
    let versions = try withAssetPackManager(arguments) { manager async throws(ManagedBackgroundAssetsError) in
      try await manager.manifest()
      var versions: [(id: String, version: Int)] = []
      for id in ids {
        let pack = try await manager.assetPack(withID: id)
        try await manager.ensureLocalAvailability(of: pack, requireLatestVersion: isLatest)
        versions.append((id, try manager.localVersion(ofAssetPackWithID: id) ?? pack.version))
      }
      return versions
    }
    if arguments.has("json") {
      Output.write(["available": .array(versions.map { ["id": .string($0.id), "version": .integer($0.version)] })])
    } else {
      for (id, version) in versions { Output.write("\(id) version \(version)\n") }
    }
  }

  static let fetchStatus = Verb(
    words: ["fetch", "status"], summary: "Show the packs in the cache next to those in the manifest.",
    positionals: "[PACK]…", count: 0...Int.max,
    options: FetchOptions.common + [
      .flag("offline", "Use the manifest that was fetched last, without asking a server.")
    ]
  ) { arguments throws(CommandFailure) in
    let wanted = arguments.positionals
    let isOffline = arguments.has("offline")
    let rows = try withAssetPackManager(arguments) { manager async throws(ManagedBackgroundAssetsError) in
      let catalog = isOffline ? try await manager.storedManifest() : try await manager.manifest()
      let all = Set(catalog.packs.map(\.id)).union(try manager.localAssetPackIDs()).sorted()
      var rows: [StatusRow] = []
      for id in wanted.isEmpty ? all : wanted {
        rows.append(
          StatusRow(
            id: id, status: try await manager.status(ofAssetPackWithID: id),
            local: try manager.localVersion(ofAssetPackWithID: id), listed: catalog[id]?.version))
      }
      return rows
    }
    if arguments.has("json") {
      Output.write(["packs": .array(rows.map(\.json))])
    } else {
      for row in rows { Output.write(row.text + "\n") }
    }
  }

  static let fetchRead = Verb(
    words: ["fetch", "read"], summary: "Write a file from the packs in the cache to standard output.",
    positionals: "PATH", count: 1...1,
    options: FetchOptions.common + [.value("pack", "ID", "Look only in this pack.")],
    details: "PATH is the path as apps see it. No server is asked."
  ) { arguments throws(CommandFailure) in
    let manager = try FetchOptions.manager(arguments)
    let file: MappedFile
    do throws(ManagedBackgroundAssetsError) {
      file = try manager.contents(at: arguments.positionals[0], searchingInAssetPackWithID: arguments.value("pack"))
    } catch { throw CommandFailure(error) }
    try file.withUnsafeBytes { bytes throws(CommandFailure) in try writeAll(bytes) }
  }

  private static func writeAll(_ bytes: UnsafeRawBufferPointer) throws(CommandFailure) {
    var offset = 0
    while offset < bytes.count, let start = bytes.baseAddress {
      let count = Glibc.write(STDOUT_FILENO, start + offset, bytes.count - offset)
      if count < 0 {
        let code = errno
        if code == EINTR { continue }
        throw CommandFailure("Standard output cannot be written: \(String(cString: strerror(code))).", .inputOutput)
      }
      offset += count
    }
  }

  static let fetchRemove = Verb(
    words: ["fetch", "remove"], summary: "Delete packs from the cache.", positionals: "PACK…", count: 1...Int.max,
    options: FetchOptions.common, details: "No server is asked. They can be downloaded again."
  ) { arguments throws(CommandFailure) in
    let ids = arguments.positionals
    try withAssetPackManager(arguments) { manager async throws(ManagedBackgroundAssetsError) in
      for id in ids { try await manager.remove(assetPackWithID: id) }
    }
    if arguments.has("json") {
      Output.write(["removed": .array(ids.map { .string($0) })])
    } else {
      Output.write("removed: \(ids.joined(separator: " "))\n")
    }
  }
}

/// One pack as `fetch status` shows it.
private struct StatusRow: Sendable {
  let id: String
  let status: AssetPack.Status
  /// Nil: not here.
  let local: Int?
  /// Nil: not in the manifest.
  let listed: Int?

  var json: JSONValue {
    [
      "id": .string(id), "status": .array(status.names.map { .string($0) }),
      "version": local.map { .integer($0) } ?? .null, "manifestVersion": listed.map { .integer($0) } ?? .null,
    ]
  }

  var text: String {
    let here = local.map { "version \($0) is here" } ?? "not here"
    let there = listed.map { "version \($0) in the manifest" } ?? "not in the manifest"
    return "\(id): \(status) (\(here), \(there))"
  }
}
