/// How long a client waits. There is no limit on the whole exchange: a large pack over a slow line takes hours.
package struct ClientPatience: Sendable {
  /// For a connection to be made, the TLS handshake included; for each address that is tried.
  package var connect: Duration
  /// Without a single byte moving, once the connection is there.
  package var noProgress: Duration
  /// For everything that is done over one connection; nil for no limit.
  package var whole: Duration?
  /// A descriptor that becomes readable when waiting is to end at once with ECANCELED; it must stay open meanwhile.
  package var cancellation: Int32?

  package init(connect: Duration = .seconds(15), noProgress: Duration = .seconds(60)) {
    self.connect = connect
    self.noProgress = noProgress
  }
}
