import AssetPacks
import Doctor
import PackStore

// What the catalog says, held against what the public base URL answers.
extension ConfigurationCheckup {
  func checkCatalog(_ settings: ServiceSettings, isRunning: Bool, _ outcome: inout ServerCheckup.Outcome) {
    var options = StoreOptions(folder: settings.stateDirectory, publicBaseURL: settings.publicBaseURL)
    options.takesLock = false
    do throws(StoreFailure) {
      let store = try PackStore(options)
      let live = try store.liveState()
      let apps = live.apps.filter { app == nil || $0.bundleID == app }
      if apps.isEmpty {
        outcome.findings.append(
          .warning(
            "config.apps", app.map { "The catalog has no app \($0)." } ?? "The catalog has no apps yet.",
            fix: "Create it with packhouse app create, with the host of publicBaseURL as --host."))
      }
      for app in apps { try check(app, store, settings, isRunning: isRunning, &outcome) }
    } catch {
      if case .catalogMissing = error {
        outcome.findings.append(.ok("config.catalog", "There is no catalog yet; the first start creates it."))
      } else {
        outcome.findings.append(
          .error("config.catalog", error.sentence, fix: "Start the server with this version, and read its log."))
      }
    }
  }

  private func check(
    _ app: LiveState.App, _ store: PackStore, _ settings: ServiceSettings, isRunning: Bool,
    _ outcome: inout ServerCheckup.Outcome
  ) throws(StoreFailure) {
    outcome.findings.append(Self.allowList(app, baseURL: settings.publicBaseURL))
    guard let track = Track(rawValue: track) else { return }
    let record = app.manifests.first { $0.track == track && $0.scope == .all }
    guard let record else {
      outcome.findings.append(
        .warning(
          "config.apps", "Nothing was ever released for \(app.bundleID) on \(track.rawValue).",
          fix: "Release a pack there before devices ask: packhouse release."))
      return
    }
    guard isRunning else {
      outcome.findings.append(
        .warning(
          "config.running", "The server is not running, so it was not checked from outside.",
          fix: "Start it, and run the doctor again."))
      return
    }
    let url = store.manifestURL(bundleID: app.bundleID, track: track)
    var seen = ServerCheckup(manifestURL: url, authority: authority, now: now).run()
    if let bytes = seen.manifestBytes {
      seen.findings.append(Self.identity(bytes, record.bytes, app: app.bundleID, baseURL: settings.publicBaseURL))
    }
    if let manifest = seen.manifest {
      let sizes = try installSizes(app, store)
      if manifest.entries.allSatisfy({ sizes[$0.pack.id.text] != nil }) {
        seen.facts.installSizes = DeliveryFacts.sum(manifest) { sizes[$0.pack.id.text] ?? 0 }
      }
    }
    outcome.findings += seen.findings
    outcome.facts = seen.facts
    outcome.manifest = seen.manifest
    outcome.manifestBytes = seen.manifestBytes
  }

  /// Whether the app may be served under the public base URL at all.
  static func allowList(_ app: LiveState.App, baseURL: String) -> Finding {
    let host = (try? PublicBaseURL(baseURL))?.host
    if let host, let list = try? DomainAllowList(app.domainAllowList), list.matches(host) {
      return .ok("config.allow-list", "\(app.bundleID) allows \(host.text), the host of publicBaseURL.")
    }
    let name = host?.text ?? baseURL
    return .error(
      "config.allow-list",
      "\(app.bundleID) does not allow \(name), the host of publicBaseURL, so its requests get 421.",
      fix: "Add \(name) to the app's domainAllowList over the admin API.")
  }

  /// Whether what answers at the public base URL is this server, with what the catalog has now.
  static func identity(_ served: [UInt8], _ published: [UInt8], app: String, baseURL: String) -> Finding {
    if served == published {
      return .ok("config.identity", "\(baseURL) answers with the manifest of this catalog.")
    }
    return .error(
      "config.identity", "\(baseURL) answers for \(app) with a manifest that is not from this catalog.",
      fix: "Point publicBaseURL, its DNS name and the proxies at this server, and clear their caches.")
  }

  /// The unpacked size of each pack's live version.
  private func installSizes(_ app: LiveState.App, _ store: PackStore) throws(StoreFailure) -> [String: Int64] {
    var sizes: [String: Int64] = [:]
    let contents = try store.tracks(app: app.id).first { $0.track.rawValue == track }
    for pack in contents?.packs ?? [] {
      if let size = try store.version(pack.versionID).installSize { sizes[pack.assetPackIdentifier] = size }
    }
    return sizes
  }
}
