import COpenSSL

/// The client's side of one TLS connection as OpenSSL has it, over memory: against it the server's side is checked. It
/// trusts any certificate. Owned and used by one thread.
final class MemoryClient {
  /// What reading came to.
  enum Reading: Equatable {
    case bytes([UInt8])
    /// More must come from the server.
    case wantsInput
    /// The server sent close_notify.
    case closed
    /// `reasons` are those of OpenSSL's error queue.
    case failed([String])
  }

  private let context: OpaquePointer
  private let ssl: OpaquePointer
  private let incoming: OpaquePointer
  private let outgoing: OpaquePointer
  /// The number of the fatal alert that the server sent, as `SSL_AD_…`; 0 for none.
  private(set) var lastAlert: Int32 = 0

  /// Offers TLS 1.3 and 1.2; of TLS 1.3 only `cipherSuite`, or all that OpenSSL has.
  init(cipherSuite: String? = nil) throws(TLSFailure) {
    guard let context = SSL_CTX_new(TLS_client_method()) else { throw .fromQueue(during: "making a client") }
    guard let ssl = SSL_new(context), let incoming = BIO_new(BIO_s_mem()), let outgoing = BIO_new(BIO_s_mem()) else {
      SSL_CTX_free(context)
      throw .fromQueue(during: "making a client")
    }
    self.context = context
    self.ssl = ssl
    self.incoming = incoming
    self.outgoing = outgoing
    SSL_set_bio(ssl, incoming, outgoing)
    SSL_set_connect_state(ssl)
    if let cipherSuite, SSL_set_ciphersuites(ssl, cipherSuite) != 1 {
      throw .fromQueue(during: "choosing \(cipherSuite)")
    }
  }

  deinit {
    SSL_free(ssl)
    SSL_CTX_free(context)
  }

  /// Whether the handshake has finished.
  var isEstablished: Bool { SSL_is_init_finished(ssl) == 1 }

  /// Goes on with the handshake.
  func handshake() {
    SSL_do_handshake(ssl)
    ERR_clear_error()
  }

  /// Gives what came from the server.
  func take(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count > 0 else { return }
    BIO_write(incoming, bytes.baseAddress, Int32(clamping: bytes.count))
  }

  /// What is to go to the server; it is taken away.
  func takeOutput() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Int(BIO_ctrl_pending(outgoing))) { buffer, count in
      count = max(0, Int(BIO_read(outgoing, buffer.baseAddress, Int32(clamping: buffer.count))))
    }
  }

  /// Whether all of `bytes` were encrypted.
  func write(_ bytes: [UInt8]) -> Bool {
    let isWritten = SSL_write(ssl, bytes, Int32(clamping: bytes.count)) == Int32(clamping: bytes.count)
    ERR_clear_error()
    return isWritten
  }

  /// At most `limit` bytes; one record at most.
  func read(upTo limit: Int) -> Reading {
    var code: Int32 = 0
    let piece = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      code = SSL_read(ssl, buffer.baseAddress, Int32(clamping: buffer.count))
      count = max(0, Int(code))
    }
    if code > 0 { return .bytes(piece) }
    switch SSL_get_error(ssl, code) {
    case SSL_ERROR_WANT_READ:
      ERR_clear_error()
      return .wantsInput
    case SSL_ERROR_ZERO_RETURN:
      ERR_clear_error()
      return .closed
    default:
      // The reason for an alert is its number and 1,000.
      let reason = ERR_GET_REASON(ERR_peek_error())
      if (1...255).contains(reason - SSL_AD_REASON_OFFSET) { lastAlert = reason - SSL_AD_REASON_OFFSET }
      return .failed(TLSFailure.drainQueue())
    }
  }

  /// Encrypts a KeyUpdate that asks for one in return (RFC 8446 section 4.6.3), and a byte of data behind it.
  func requestKeyUpdate() -> Bool { updateKey(SSL_KEY_UPDATE_REQUESTED) && write([0]) }

  /// The next `write` begins with a KeyUpdate of `kind`, `SSL_KEY_UPDATE_…`.
  func updateKey(_ kind: Int32) -> Bool { SSL_key_update(ssl, kind) == 1 }
}
