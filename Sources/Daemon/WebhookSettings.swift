import AssetPacks
import EventLoop
import SystemIO
import TLS
import Webhooks

/// What the configuration says about webhooks, checked, but with the file of authorities not read yet.
package struct WebhookSettings: Sendable, Equatable {
  /// Nil allows no webhook.
  package var hosts: DomainAllowList?
  package var privateNetworks: [AddressRange] = []
  /// Path of a PEM file; nil is the machine's own authorities.
  package var authority: String?
  // Seconds.
  package var timeout = 0
  package var firstRetry = 0
  package var retryFor = 0

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
