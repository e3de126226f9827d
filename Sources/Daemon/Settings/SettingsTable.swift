import Configuration

/// Every key of the configuration file, in the order of docs/configuration.md. A row says everything about its key:
///
/// - the key, the property of ``ServiceSettings`` that its value goes to, and what the value may be;
/// - the default as it would be written in the file, or what is done without one;
/// - whether a reload applies a new value (`change: .reload`) or only a restart;
/// - a sentence for people.
///
/// "How to add a configuration key" in CONTRIBUTING.md has the steps.
package enum SettingsTable {
  typealias Key = ConfigurationKey<ServiceSettings>
  typealias Rows = ConfigurationRows<ServiceSettings>

  package static let all = ConfigurationTable(
    keys: [listeners, limits, storage, access, operation].flatMap { $0 }, rules: rules)

  /// What must hold between keys.
  private static let rules: [ConfigurationRule<ServiceSettings>] = [
    ConfigurationRule(\.limits.connectionsPerAddress) { settings, keys in
      let limits = settings.limits
      guard keys.contains(\.limits.connectionsPerAddress), keys.isSound(\.limits.connections),
        keys.isSound(\.limits.connectionsPerAddress), limits.connectionsPerAddress > limits.connections
      else { return nil }
      return "expected at most limits.connections (\(limits.connections)), found \(limits.connectionsPerAddress)"
    },
    ConfigurationRule(\.proxyProtocol) { settings, keys in
      guard settings.proxyProtocol, settings.trustedProxies.isEmpty, keys.isSound(\.trustedProxies) else { return nil }
      return "expected listeners.client.trustedProxies beside it, found none; "
        + "PROXY headers are believed of those only"
    },
    ConfigurationRule(\.adminCertificateFile) { _, keys in
      guard keys.contains(\.adminPrivateKeyFile), !keys.contains(\.adminCertificateFile) else { return nil }
      return "expected a path beside listeners.admin.privateKey, found nothing; \(bothOrNone)"
    },
    ConfigurationRule(\.adminPrivateKeyFile) { _, keys in
      guard keys.contains(\.adminCertificateFile), !keys.contains(\.adminPrivateKeyFile) else { return nil }
      return "expected a path beside listeners.admin.certificate, found nothing; \(bothOrNone)"
    },
  ]

  private static let bothOrNone = "leave both out to use the client listener's"
}
