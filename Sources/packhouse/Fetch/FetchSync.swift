import JSONText
import PackhouseClient

extension Verb {
  static let fetchSync = Verb(
    words: ["fetch", "sync"], summary: "Download what a device downloads by itself at an installation or update.",
    options: FetchOptions.common + FetchOptions.downloads + [
      .value("event", "EVENT", "firstInstallation or subsequentUpdate."),
      .value("download-allowance", "BYTES", "BADownloadAllowance: the most of packs that are not essential."),
      .value("essential-download-allowance", "BYTES", "BAEssentialDownloadAllowance."),
      .value("max-install-size", "BYTES", "BAMaxInstallSize: the same unpacked."),
      .value("essential-max-install-size", "BYTES", "BAEssentialMaxInstallSize."), FetchOptions.emptyManifest,
    ],
    details:
      "Packs that are no longer in the manifest are deleted, as on a device. If the manifest cannot be fetched or\n"
      + "read, nothing changes. An interrupted run is resumed by the next one."
  ) { arguments throws(CommandFailure) in
    let name = try arguments.required("event")
    guard let event = DownloadPolicy.InstallationEvent(rawValue: name) else {
      let names = DownloadPolicy.InstallationEvent.allCases.map(\.rawValue).joined(separator: " or ")
      throw CommandFailure("--event must be \(names), not \(name).", .usage)
    }
    let outcome = try withAssetPackManager(arguments) { manager async throws(ManagedBackgroundAssetsError) in
      try await manager.sync(at: event)
    }
    if arguments.has("json") {
      Output.write([
        "downloaded": list(outcome.downloaded), "upToDate": list(outcome.upToDate), "removed": list(outcome.removed),
      ])
    } else {
      tell("downloaded", outcome.downloaded)
      tell("up to date", outcome.upToDate)
      tell("removed", outcome.removed)
    }
    try report(outcome.failures)
  }

  static let fetchUpdates = Verb(
    words: ["fetch", "updates"], summary: "Download newer versions of the packs in the cache.",
    options: FetchOptions.common + FetchOptions.downloads + [FetchOptions.emptyManifest],
    details: "Packs that are no longer in the manifest are deleted, as on a device."
  ) { arguments throws(CommandFailure) in
    let outcome = try withAssetPackManager(arguments) { manager async throws(ManagedBackgroundAssetsError) in
      let found = try await manager.checkForUpdates()
      var updated: [String] = []
      var failures: [(id: String, error: ManagedBackgroundAssetsError)] = []
      for id in found.updating {
        do throws(ManagedBackgroundAssetsError) {
          let pack = try await manager.assetPack(withID: id)
          try await manager.ensureLocalAvailability(of: pack, requireLatestVersion: true)
          updated.append(id)
        } catch { failures.append((id, error)) }
      }
      return (updated: updated, removed: found.removed, failures: failures)
    }
    if arguments.has("json") {
      Output.write(["updated": list(outcome.updated), "removed": list(outcome.removed)])
    } else {
      tell("updated", outcome.updated)
      tell("removed", outcome.removed)
    }
    try report(outcome.failures)
  }

  private static func list(_ ids: [String]) -> JSONValue { .array(ids.map { .string($0) }) }

  private static func tell(_ what: String, _ ids: [String]) {
    Output.write("\(what): \(ids.isEmpty ? "none" : ids.joined(separator: " "))\n")
  }

  /// Throws all failures as one, with the exit code of the first.
  private static func report(
    _ failures: [(id: String, error: ManagedBackgroundAssetsError)]
  ) throws(CommandFailure) {
    guard let first = failures.first else { return }
    let code = ExitCode(rawValue: CommandFailure(first.error).exitCode) ?? .software
    throw CommandFailure(failures.map { $0.error.description }.joined(separator: "\n"), code)
  }
}
