import Configuration

extension SettingsTable {
  /// Who gets in to the admin API, and where the server connects to.
  @Rows static var access: [Key] {
    Key(
      "authentication.audience", \.authentication.audience, .text, default: "appstoreconnect-v1",
      "What `aud` must be in tokens that API keys sign. The default is App Store Connect's.")
    Key(
      "authentication.rotationOverlap", \.authentication.rotationOverlap, .time(from: .seconds(0), to: .days(30)),
      default: "24 h", "How long a token's former secret stays valid after a rotation that does not say.")
    Key(
      "authentication.failures", \.authentication.failures, .integer(1...100_000), default: 20,
      "Failed attempts in a row of one address that are answered at once; more are answered 429.")
    Key(
      "authentication.failurePause", \.authentication.failurePause, .time(from: .seconds(1), to: .hours(1)),
      default: "5 s", "Time after which one more attempt of that address is answered.")
    Key(
      "webhooks.hosts", \.webhooks.hosts, .hosts, default: [],
      """
      Hosts that webhooks may go to; a wildcard stands for any subdomain but not for the name itself. While the list \
      is empty, no webhook can be created.
      """)
    Key(
      "webhooks.privateNetworks", \.webhooks.privateNetworks, .networks, default: [],
      "Addresses that webhooks may connect to although they do not belong to the public internet.")
    Key(
      "webhooks.authority", \.webhooks.authority, .path, unset: "the machine's own authorities",
      "PEM file with the authorities whose certificates webhooks trust.")
    Key(
      "webhooks.timeout", \.webhooks.timeout, .time(from: .seconds(1), to: .seconds(60)), default: "10 s",
      "Time for one attempt, from the connection to the end of the answer.")
    Key(
      "webhooks.firstRetry", \.webhooks.firstRetry, .time(from: .seconds(1), to: .hours(1)), default: "10 s",
      "Time before the second attempt; each further one waits twice as long, an hour at most.")
    Key(
      "webhooks.retryFor", \.webhooks.retryFor, .time(from: .seconds(1), to: .days(30)), default: "1 d",
      "Time of failing attempts after which a webhook is switched off.")
  }
}
