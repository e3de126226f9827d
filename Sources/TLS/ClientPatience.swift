/// How long a client waits. There is no limit on the whole exchange: a large pack over a slow line takes hours.
package struct ClientPatience: Sendable {
  /// For a connection to be made, the TLS handshake included; for each address that is tried.
  package var connect: Duration
  /// Without a single byte moving, once the connection is there.
  package var noProgress: Duration

  package init(connect: Duration = .seconds(15), noProgress: Duration = .seconds(60)) {
    self.connect = connect
    self.noProgress = noProgress
  }
}
