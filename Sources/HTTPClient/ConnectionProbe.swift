import TLS

extension HTTPSURL {
  /// Connects, does the TLS handshake without trusting anybody, and tells what the server showed.
  package func probe(patience: ClientPatience = ClientPatience()) throws(HTTPClientFailure) -> TLSProbe {
    let socket = try SocketConnector.connect(to: self, patience: patience)
    do throws(TLSFailure) {
      return try TLSProbe(over: socket, host: host, label: label, patience: patience)
    } catch { throw .tls(error) }
  }
}
