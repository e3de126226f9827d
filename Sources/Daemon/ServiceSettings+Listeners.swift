import HTTPServer

extension ServiceSettings {
  /// The listeners, the client listener first, with what they answer.
  func listeners(
    _ certificates: CertificateKeeper, _ inherited: InheritedSockets, client: @escaping Responder,
    admin: @escaping Responder
  ) -> [HTTPServer.Listener] {
    let surfaces = [(clientListeners, client), (adminListeners, admin)]
    var listeners: [HTTPServer.Listener] = []
    for ((sockets, responder), (files, tls)) in zip(surfaces, zip(listenerFiles, certificates.contexts)) {
      var listener = HTTPServer.Listener(sockets: sockets, tls: tls, responder: responder)
      listener.name = files.name
      listeners.append(listener)
    }
    for (index, sockets) in [inherited.client, inherited.admin].enumerated() where index < listeners.count {
      listeners[index].inherited = sockets
    }
    // The admin listener stands where no proxy is.
    if !listeners.isEmpty {
      listeners[0].trustedProxies = trustedProxies
      listeners[0].expectsProxyHeader = proxyProtocol
    }
    return listeners
  }
}
