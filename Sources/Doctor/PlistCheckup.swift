import AssetPacks
import HTTPClient
import PropertyLists
import Values

/// Holds an app's `Info.plist` against what Background Assets want and what the server delivers.
package struct PlistCheckup {
  let info: PropertyList
  let entitlements: PropertyList?
  let facts: DeliveryFacts
  let isManaged: Bool
  var findings: [Finding] = []

  /// - Parameters:
  ///   - entitlements: the app's; nil when they are not to be checked.
  ///   - isManaged: false for an app whose own extension does the downloads.
  package init(
    info: PropertyList, entitlements: PropertyList? = nil, facts: DeliveryFacts = DeliveryFacts(),
    isManaged: Bool = true
  ) {
    self.info = info
    self.entitlements = entitlements
    self.facts = facts
    self.isManaged = isManaged
  }

  /// Every check's finding, in the order of the keys in the documentation.
  package func run() -> [Finding] {
    var checkup = self
    guard info.dictionary != nil else {
      return [
        .error(
          "plist.root", "The property list is \(info.kind), expected a dictionary.",
          fix: "Pass the Info.plist of the app.")
      ]
    }
    checkup.checkFlags()
    checkup.checkAppGroup()
    checkup.checkManifestURL()
    checkup.checkRestrictions()
    checkup.checkInstallSizes()
    checkup.checkLocalNetwork()
    return checkup.findings
  }

  /// The fix for a value that Xcode would have filled in.
  static func isUnexpanded(_ text: String) -> Bool { text.contains("$(") || text.contains("${") }

  private mutating func checkFlags() {
    let key = "BAHasManagedAssetPacks"
    switch (info[key], isManaged) {
    case (nil, true):
      findings.append(
        .error(
          "plist.managed", "\(key) is missing, so the system does not manage the app's asset packs.",
          fix: "Set \(key) to YES, or pass --unmanaged when the app's own extension downloads them."))
    case (.bool(false)?, true):
      findings.append(
        .error(
          "plist.managed", "\(key) is NO, so the system does not manage the app's asset packs.",
          fix: "Set \(key) to YES, or pass --unmanaged when the app's own extension downloads them."))
    case (.bool(true)?, false):
      findings.append(
        .error(
          "plist.managed", "\(key) is YES, but the app is said to be unmanaged.",
          fix: "Remove \(key), or leave out --unmanaged."))
    case (.bool?, _): findings.append(.ok("plist.managed", "\(key) is \(isManaged ? "YES" : "NO")."))
    case (nil, false): findings.append(.ok("plist.managed", "\(key) is not there, as in an unmanaged app."))
    case (let value?, _):
      findings.append(
        .error(
          "plist.managed", "\(key) is \(value.kind), expected a Boolean.",
          fix: "Change the type of \(key) to Boolean and its value to YES."))
    }
    let hosting = "BAUsesAppleHosting"
    switch info[hosting] {
    case nil, .bool(false)?: findings.append(.ok("plist.hosting", "The app uses a server of its own."))
    case .bool(true)?:
      findings.append(
        .error(
          "plist.hosting", "\(hosting) is YES, so the app asks Apple for its packs and never your server.",
          fix: "Remove \(hosting), or set it to NO."))
    case let value?:
      findings.append(
        .error("plist.hosting", "\(hosting) is \(value.kind), expected a Boolean.", fix: "Remove \(hosting)."))
    }
  }

  private mutating func checkAppGroup() {
    let key = "BAAppGroupID"
    guard let value = info[key] else {
      findings.append(
        .error(
          "plist.app-group", "\(key) is missing, so app and extension share no folder for the packs.",
          fix: "Set \(key) to the app group that both targets have, such as group.com.example.game."))
      return
    }
    guard let group = value.string, !group.isEmpty else {
      findings.append(
        .error(
          "plist.app-group", "\(key) is \(value.string == nil ? value.kind : "empty"), expected the name of a group.",
          fix: "Set \(key) to the app group that both targets have, such as group.com.example.game."))
      return
    }
    if Self.isUnexpanded(group) {
      findings.append(Self.unexpanded("plist.app-group", key, group))
    } else {
      findings.append(.ok("plist.app-group", "\(key) is \(group)."))
    }
    checkEntitlements(group)
  }

  private mutating func checkEntitlements(_ group: String) {
    guard let entitlements else { return }
    let key = "com.apple.security.application-groups"
    guard let groups = entitlements[key]?.array?.map(\.string) else {
      findings.append(
        .error(
          "entitlements.app-group", "The entitlements have no list \(key), so the app may not enter \(group).",
          fix: "Add the capability App Groups with \(group) to the app's target and to the extension's."))
      return
    }
    if groups.contains(group) {
      findings.append(.ok("entitlements.app-group", "The entitlements have the app group \(group)."))
    } else {
      let found = groups.compactMap { $0 }.joined(separator: ", ")
      findings.append(
        .error(
          "entitlements.app-group",
          "The entitlements have the app groups \(found.isEmpty ? "(none)" : found), but not \(group).",
          fix: "Add \(group) to the App Groups of the app's target and of the extension's."))
    }
  }

  static func unexpanded(_ check: String, _ key: String, _ text: String) -> Finding {
    .warning(
      check, "\(key) is \(text), which Xcode fills in when it builds.",
      fix: "Check the Info.plist inside the built app (Game.app/Info.plist) instead of the source.")
  }

  private mutating func checkManifestURL() {
    let key = "BAManifestURL"
    let wanted = facts.manifestURL?.description
    let example = wanted ?? "https://packs.example.com/apps/com.example.game/production/manifest.json"
    guard let value = info[key] else {
      findings.append(
        .error(
          "plist.manifest-url", "\(key) is missing, so the app does not know your server.",
          fix: "Set \(key) to \(example)."))
      return
    }
    guard let text = value.string else {
      findings.append(
        .error(
          "plist.manifest-url", "\(key) is \(value.kind), expected a string with an https URL.",
          fix: "Set \(key) to \(example)."))
      return
    }
    if Self.isUnexpanded(text) {
      findings.append(Self.unexpanded("plist.manifest-url", key, text))
      return
    }
    if text.lowercased().hasPrefix("http:") {
      findings.append(
        .error(
          "plist.manifest-url", "\(key) is \(text), and devices refuse http, on localhost too.",
          fix: "Set \(key) to \(wanted ?? "https:" + text.dropFirst(5))."))
      return
    }
    do throws(HTTPClientFailure) {
      let url = try HTTPSURL(text)
      if let served = facts.manifestURL, served != url {
        findings.append(
          .warning(
            "plist.manifest-url", "\(key) is \(text), but the manifest that was checked is \(served).",
            fix: "Set \(key) to \(served), or pass --manifest \(text)."))
      } else {
        findings.append(.ok("plist.manifest-url", "\(key) is \(text)."))
      }
    } catch {
      findings.append(
        .error(
          "plist.manifest-url", "\(key) is not a URL that devices accept: \(Self.clause(error.sentence)).",
          fix: "Set \(key) to \(example)."))
    }
  }

  /// A sentence without its full stop.
  static func clause(_ sentence: String) -> String { sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence }

  private mutating func checkLocalNetwork() {
    guard let host = facts.hosts.first(where: { Self.isLocal($0.name) })?.name else { return }
    if let text = info["NSLocalNetworkUsageDescription"]?.string, !text.isEmpty {
      findings.append(.ok("plist.local-network", "NSLocalNetworkUsageDescription is there."))
    } else {
      findings.append(
        .warning(
          "plist.local-network",
          "\(host) is on the local network and NSLocalNetworkUsageDescription is missing; until the app has the Local "
            + "Network permission manifests arrive and every pack fails with error -1004.",
          fix: "Add NSLocalNetworkUsageDescription with a sentence for the person, and allow it on the device."))
    }
  }

  /// Names of mDNS, and addresses that are no public ones.
  static func isLocal(_ host: String) -> Bool {
    switch HostName(authority: DeliveryFacts.bracketed(host)) {
    case .dns(let name): name.hasSuffix(".local")
    // 10.0.0.0/8, 192.168.0.0/16, 172.16.0.0/12, 169.254.0.0/16; fc00::/7, fe80::/10.
    case .ipv4(let address):
      address >> 24 == 10 || address >> 16 == 0xC0A8 || address >> 20 == 0xAC1 || address >> 16 == 0xA9FE
    case .ipv6(let address): address >> 121 == 0x7E || address >> 118 == 0x3FA
    case nil: false
    }
  }
}
