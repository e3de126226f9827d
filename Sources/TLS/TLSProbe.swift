import COpenSSL
import SystemIO

/// What a server shows in a TLS handshake, trusted or not. Nothing is sent over the connection.
package struct TLSProbe: Sendable {
  /// The certificates that it sent, its own first.
  package let chain: PEMText
  /// "TLSv1.3".
  package let version: String
  /// The cipher suite's name in OpenSSL's words.
  package let cipher: String

  /// Does the handshake over a connected, non-blocking socket. `label` names the peer in messages, as "host:port".
  package init(
    over socket: consuming FileDescriptor, host: String, label: String, patience: ClientPatience
  ) throws(TLSFailure) {
    let name = try SubjectName(host)
    guard let context = SSL_CTX_new(TLS_client_method()) else { throw .fromQueue(during: "making a TLS context") }
    defer { SSL_CTX_free(context) }
    SSL_CTX_set_verify(context, SSL_VERIFY_NONE, nil)
    guard packhouse_prepare_client(context) == 1, let connection = SSL_new(context) else {
      throw .fromQueue(during: "making a TLS connection")
    }
    defer { SSL_free(connection) }
    guard let incoming = BIO_new(BIO_s_mem()) else { throw .fromQueue(during: "making a TLS connection") }
    guard let outgoing = BIO_new(BIO_s_mem()) else {
      BIO_free(incoming)
      throw .fromQueue(during: "making a TLS connection")
    }
    SSL_set_bio(connection, incoming, outgoing)
    let buffers = ClientSocketBuffers(
      socket: socket, incoming: incoming, outgoing: outgoing, label: label, cancellation: patience.cancellation)
    if case .dns(let text) = name, packhouse_send_server_name(connection, text) != 1 {
      throw .fromQueue(during: "naming the server \(text)")
    }
    SSL_set_connect_state(connection)
    try Self.handshake(connection, buffers, label, patience)

    version = String(cString: SSL_get_version(connection))
    cipher = packhouse_cipher_name(connection).map { String(cString: $0) } ?? ""
    var pointers = [OpaquePointer?](repeating: nil, count: Int(PACKHOUSE_CHAIN_LIMIT))
    let length = packhouse_peer_chain(connection, &pointers)
    let sent = pointers.prefix(length).compactMap { $0.map { Certificate(owning: $0) } }
    guard !sent.isEmpty else { throw .untrusted(host: label, reason: "it sent none") }
    var text: [UInt8] = []
    for certificate in sent { text += try certificate.pem() }
    chain = PEMText(file: "the chain of \(label)", bytes: text)
    _ = SSL_shutdown(connection)
    ERR_clear_error()
    try? buffers.flush(limit: .seconds(1))
  }

  private static func handshake(
    _ connection: OpaquePointer, _ buffers: ClientSocketBuffers, _ label: String, _ patience: ClientPatience
  ) throws(TLSFailure) {
    let deadline = ContinuousClock.now + patience.connect
    while true {
      ERR_clear_error()
      let result = SSL_do_handshake(connection)
      let code = result == 1 ? SSL_ERROR_NONE : SSL_get_error(connection, result)
      let reasons = TLSFailure.drainQueue()
      let left = max(.zero, deadline - .now)
      if result == 1 { return try buffers.flush(limit: left) }
      guard code == SSL_ERROR_WANT_READ else {
        try? buffers.flush(limit: min(left, .seconds(1)))
        throw .handshake(host: label, reasons: reasons)
      }
      try buffers.flush(limit: left)
      guard try buffers.fill(limit: left) else {
        throw .handshake(host: label, reasons: ["the connection was closed during the handshake"])
      }
    }
  }

  /// Whether devices take the cipher suite: an ephemeral elliptic curve with AES-GCM or ChaCha20.
  package var isAcceptedByDevices: Bool {
    if version == "TLSv1.3" { return true }
    return cipher.hasPrefix("ECDHE-") && (cipher.contains("GCM") || cipher.contains("CHACHA20"))
  }
}
