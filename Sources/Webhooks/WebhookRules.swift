import AssetPacks
import EventLoop
import HTTPClient
import TLS
import Values

/// Where webhooks may go, and how long the daemon tries; from the configuration.
package struct WebhookRules: Sendable {
  /// The hosts that may be named; nil allows none.
  package var hosts: DomainAllowList?
  /// Addresses that may be connected to although they are not of the public internet.
  package var privateNetworks: [AddressRange] = []
  /// Whose certificates are believed.
  package var trust = ClientTLS.Trust.system
  /// For one attempt, from the connection to the end of the answer.
  package var timeout = Duration.seconds(10)
  /// Seconds before the second attempt; each further one waits twice as long, an hour at most.
  package var firstRetry: Int64 = 10
  /// Seconds of failing attempts after which a webhook is switched off.
  package var retryFor: Int64 = 86_400

  package init() {}

  /// The address of a webhook, when it is one that webhooks may have.
  package func target(_ text: String) throws(WebhookFailure) -> HTTPSURL {
    let url: HTTPSURL
    do throws(HTTPClientFailure) { url = try HTTPSURL(text) } catch { throw .url(error.sentence) }
    guard let name = HostName(authority: url.host) ?? HostName(authority: "[\(url.host)]"), let hosts,
      hosts.matches(name)
    else { throw .hostNotAllowed(host: url.host, allowed: hosts?.entries ?? []) }
    if let address = IPAddress(url.host), !admits(address) { throw .addressNotAllowed(url.host) }
    return url
  }

  /// Whether an address may be connected to.
  package func admits(_ address: IPAddress) -> Bool { address.isPublic || privateNetworks.contains(address) }

  /// Seconds between two attempts at most.
  static let longestPause: Int64 = 3600

  /// Seconds until the next attempt after `attempts` failed ones: up to a half less than the full pause, so that many
  /// deliveries do not come at one moment.
  package func pause(after attempts: Int) -> Int64 {
    let full = min(Self.longestPause, firstRetry << Int64(min(20, max(0, attempts - 1))))
    return max(1, Int64.random(in: (full / 2)...max(full / 2, full)))
  }
}

/// Why a webhook cannot be what it was asked to be.
package enum WebhookFailure: Error, Equatable, Sendable {
  /// No usable address; the sentence says why.
  case url(String)
  case hostNotAllowed(host: String, allowed: [String])
  case addressNotAllowed(String)

  /// What was wrong, what was expected and what to do.
  package var sentence: String {
    switch self {
    case .url(let sentence): sentence
    case .hostNotAllowed(let host, let allowed):
      "The host \(host) is not one that webhooks may go to "
        + (allowed.isEmpty ? "(none is)" : "(\(allowed.joined(separator: ", ")))")
        + "; add it to webhooks.hosts in the server's configuration."
    case .addressNotAllowed(let address):
      "The address \(address) is not one of the public internet; add its network to webhooks.privateNetworks in the "
        + "server's configuration if that is meant."
    }
  }
}
