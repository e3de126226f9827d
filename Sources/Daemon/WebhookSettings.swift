import AssetPacks
import Configuration
import EventLoop
import SystemIO
import TLS
import Webhooks

/// What the configuration says about webhooks, checked, but with the file of authorities not read yet.
package struct WebhookSettings: Sendable, Equatable {
  /// None allows no webhook.
  package var hosts: DomainAllowList?
  package var privateNetworks: [AddressRange] = []
  /// Path of a PEM file; nil is the machine's own authorities.
  package var authority: String?
  // Seconds.
  package var timeout = 10
  package var firstRetry = 10
  package var retryFor = 86_400

  package init() {}

  init(_ configuration: Configuration.Webhooks, file: String) throws(DaemonFailure) {
    if !configuration.hosts.isEmpty {
      do throws(AssetPackFailure) {
        hosts = try DomainAllowList(configuration.hosts)
      } catch {
        throw ServiceSettings.fault(file, "webhooks.hosts: \(error.sentence)")
      }
    }
    for text in configuration.privateNetworks {
      guard let range = AddressRange(text) else {
        let expected = "expected an IP address or a network without bits behind its prefix"
        throw ServiceSettings.fault(file, "webhooks.privateNetworks: \(expected), found \"\(text)\"")
      }
      privateNetworks.append(range)
    }
    authority = configuration.authority
    timeout = configuration.timeout.seconds
    firstRetry = configuration.firstRetry.seconds
    retryFor = configuration.retryFor.seconds
  }

  /// The rules, with the authorities read.
  func rules() throws(DaemonFailure) -> WebhookRules {
    var rules = WebhookRules()
    rules.hosts = hosts
    rules.privateNetworks = privateNetworks
    rules.timeout = .seconds(timeout)
    rules.firstRetry = Int64(firstRetry)
    rules.retryFor = Int64(retryFor)
    if let authority {
      do throws(SystemFailure) {
        rules.trust = .only(PEMText(file: authority, bytes: try readFile(authority, limit: 1 << 20)))
      } catch {
        throw DaemonFailure(
          "The authorities of webhooks.authority cannot be read: \(error.sentence)",
          exitCode: DaemonFailure.ExitCode.configuration)
      }
    }
    return rules
  }
}
