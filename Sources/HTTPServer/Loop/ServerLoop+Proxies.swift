import EventLoop
import HTTPCore

// Whom a trusted proxy connects or asks for: used only for the log and the limit per address.
extension ServerLoop {
  /// Reads the PROXY header before TLS; what follows it is the client's.
  func takeProxyHeader(_ connection: Connection, _ received: UnsafeRawBufferPointer) {
    // It nearly always arrives in one piece and alone.
    guard connection.carry.isEmpty else {
      let joined = Array(connection.carry.bytes) + Array(received)
      connection.carry.release()
      return joined.withUnsafeBytes { readProxyHeader(connection, $0) }
    }
    readProxyHeader(connection, received)
  }

  private func readProxyHeader(_ connection: Connection, _ bytes: UnsafeRawBufferPointer) {
    switch ProxyHeader.parse(bytes) {
    case .needMore: connection.carry.replace(with: bytes)
    case .malformed:
      counters.add(.refusedProxyHeaders, listener: connection.listener)
      close(connection)
    case .complete(let length, let source):
      connection.state.proxyHeaderCame()
      if let source, !adopt(connection, source) { return }
      let rest = UnsafeRawBufferPointer(rebasing: bytes[length...])
      if rest.count > 0 { readAndProcess(connection, ciphertext: rest) }
    }
  }

  /// Makes `source` the connection's address; false when it has too many connections already.
  private func adopt(_ connection: Connection, _ source: IPAddress) -> Bool {
    let address = source.text
    connection.address = address
    connection.client = ClientAddress(source)
    connection.isBehindProxy = endpoints[connection.listener].trustedProxies.contains(source)
    if connection.isBehindProxy { return true }
    guard shared.load.adopt(source.limitKey, listener: connection.listener) else {
      counters.add(.refusedByAddress, listener: connection.listener)
      close(connection)
      return false
    }
    connection.countedAddress = source.limitKey
    return true
  }

  /// Notes whom the proxy asks for; false when that address has too many requests and connections in progress.
  func believe(_ view: RequestView, _ connection: Connection) -> Bool {
    guard view.first(.forwardedFor) != nil else { return true }
    var fields: [[UInt8]] = []
    for index in 0..<view.head.fieldCount where view.fields[index].known == .forwardedFor {
      fields.append(Array(view.bytes(view.fields[index].value)))
    }
    let trusted = endpoints[connection.listener].trustedProxies
    guard let source = ForwardedFor.client(fields, trusted: trusted) else { return true }
    guard shared.load.admitRequest(source.limitKey, listener: connection.listener) else {
      counters.add(.refusedRequests, listener: connection.listener)
      return false
    }
    connection.request.forwardedFor = source.text
    connection.request.forwardedKey = source.limitKey
    connection.request.forwardedClient = ClientAddress(source)
    return true
  }
}
