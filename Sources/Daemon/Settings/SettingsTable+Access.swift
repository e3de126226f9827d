import Configuration

extension SettingsTable {
  /// Who may use the admin API, and where the server connects to.
  @Rows static var access: [Key] {
    Key(
      "authentication.audience", \.authentication.audience, .text, default: "appstoreconnect-v1",
      "What `aud` must be in tokens that API keys sign. The default is App Store Connect's.")
    Key(
      "authentication.rotationOverlap", \.authentication.rotationOverlap, .time(from: .seconds(0), to: .days(30)),
      default: "24 h", "How long a token's former secret stays valid after a rotation that sets no time.")
    Key(
      "authentication.failures", \.authentication.failures, .integer(1...100_000), default: 20,
      "Failed attempts in a row from one address before further ones are answered with 429.")
    Key(
      "authentication.failurePause", \.authentication.failurePause, .time(from: .seconds(1), to: .hours(1)),
      default: "5 s", "Time after which one more attempt from that address is checked.")
    Key(
      "webhooks.hosts", \.webhooks.hosts, .hosts, default: [],
      """
      Hosts that webhooks may go to; a wildcard stands for any subdomain but not for the name itself. While the list \
      is empty, no webhook can be created.
      """)
    Key(
      "webhooks.privateNetworks", \.webhooks.privateNetworks, .networks, default: [],
      "Addresses outside the public internet that webhooks may connect to.")
    Key(
      "webhooks.authority", \.webhooks.authority, .path, unset: "the machine's own authorities",
      "PEM file with the authorities that webhooks trust.")
    Key(
      "webhooks.timeout", \.webhooks.timeout, .time(from: .seconds(1), to: .seconds(60)), default: "10 s",
      "Time limit of one attempt, from the connection to the end of the answer.")
    Key(
      "webhooks.firstRetry", \.webhooks.firstRetry, .time(from: .seconds(1), to: .hours(1)), default: "10 s",
      "Time before the second attempt; each further wait is twice as long, up to an hour.")
    Key(
      "webhooks.retryFor", \.webhooks.retryFor, .time(from: .seconds(1), to: .days(30)), default: "1 d",
      "How long attempts may fail before the webhook is switched off.")
  }
}
