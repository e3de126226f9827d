import Configuration

extension SettingsTable {
  /// Where the server is, and who connects to it.
  @Rows static var listeners: [Key] {
    Key(
      required: "stateDirectory", \.stateDirectory, .path,
      "Folder of the catalog, the packs and the uploads; created if it is missing.")
    Key(
      required: "publicBaseURL", \.publicBaseURL, .publicBaseURL,
      "Address at which devices reach the daemon. Every published link begins with it.")
    Key(
      "listeners.client.addresses", \.clientListeners, .bindings, default: ["*:443"], "Where devices connect.")
    Key(
      required: "listeners.client.certificate", \.clientCertificate.certificate, .path, change: .reload,
      "PEM file with the certificate and its chain, leaf first.")
    Key(
      required: "listeners.client.privateKey", \.clientCertificate.privateKey, .path, change: .reload,
      "PEM file with the certificate's private key.")
    Key(
      "listeners.client.certificates", \.moreClientCertificates, .certificates, default: [], change: .reload,
      """
      More certificates beside the one above, which stays the default. A client gets the first whose alternative names \
      include the name it asks for; a wildcard stands for one label.
      """)
    Key(
      "listeners.client.trustedProxies", \.trustedProxies, .networks, default: [],
      "Proxies whose `X-Forwarded-For` is believed, for the access log and `limits.connectionsPerAddress` only.")
    Key(
      "listeners.client.proxyProtocol", \.proxyProtocol, .flag, default: false,
      "Whether connections from `trustedProxies` begin with a PROXY header (version 2) in front of TLS.")
    Key(
      "listeners.admin.addresses", \.adminListeners, .bindings, default: ["127.0.0.1:8444"],
      "Where the admin API listens; keep it away from the internet.")
    Key(
      "listeners.admin.certificate", \.adminCertificateFile, .path, unset: "the client listener's", change: .reload,
      "PEM file with the admin listener's certificate; goes together with its private key.")
    Key(
      "listeners.admin.privateKey", \.adminPrivateKeyFile, .path, unset: "the client listener's", change: .reload,
      "PEM file with the admin listener's private key.")
    Key(
      "listeners.admin.clientAuthority", \.adminClientAuthority, .path, unset: "the listener asks for none",
      change: .reload,
      "PEM file with authorities. Clients without a certificate from one of them are refused in the TLS handshake.")
    Key(
      "tls.sealRecords", \.sealRecords, .choice, default: "auto",
      """
      Whether the daemon encrypts TLS 1.3 records itself, straight into the send buffer, after checking itself against \
      OpenSSL at start; `"off"` leaves it to OpenSSL.
      """)
  }
}
