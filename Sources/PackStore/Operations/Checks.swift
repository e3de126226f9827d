import AssetPacks

// The domain's rules on names, in the store's words. Everything that enters the catalog passes here.

extension PackStore {
  func checkedBundleID(_ text: String) throws(StoreFailure) -> String {
    guard !text.isEmpty else { throw .valueRefused(field: "bundleId", value: text, expected: "a bundle id") }
    return text
  }

  func checkedPackIdentifier(_ text: String) throws(StoreFailure) -> String {
    guard !text.isEmpty else {
      throw .valueRefused(field: "assetPackIdentifier", value: text, expected: "an asset pack id")
    }
    return text
  }

  /// The patterns in their canonical form; the public base URL's host must be allowed by them.
  func checkedDomains(_ patterns: [String], app: String) throws(StoreFailure) -> [String] {
    try checkHost(patterns, app: app)
    return patterns
  }

  /// Refuses when links to the public base URL would leave the app's allow-list.
  func checkHost(_ patterns: [String], app: String) throws(StoreFailure) {
    let host = try publicHost()
    guard patterns.contains(host) else { throw .hostNotAllowed(host: host, app: app, allowed: patterns) }
  }

  /// The host of the public base URL.
  func publicHost() throws(StoreFailure) -> String {
    let text = options.publicBaseURL
    guard text.hasPrefix("https://") else {
      throw .valueRefused(field: "publicBaseURL", value: text, expected: "an https URL")
    }
    return String(text.dropFirst(8).prefix { $0 != "/" && $0 != ":" })
  }
}
