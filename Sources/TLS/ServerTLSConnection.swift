import COpenSSL
import CRecordSealing

/// The server's side of one TLS connection, over memory: no socket inside. What comes from the network
/// is given to `take`, and what must go there collects in the sink. Owned and used by one thread.
package final class ServerTLSConnection {
  /// What a step came to.
  package enum Outcome: Equatable {
    /// This many bytes were read or written; at least one.
    case bytes(Int)
    /// Everything given was consumed; more must come from the network.
    case wantsInput
    /// The peer sent close_notify.
    case closed
    /// The connection is of no use any more; an alert may be in the sink.
    case failed
  }

  /// The kind of BIO of all connections. `nonisolated(unsafe)` is safe: it never changes.
  private nonisolated(unsafe) static let method = packhouse_wire_method()

  private let ssl: OpaquePointer
  // Keeps the ticket keys alive, which OpenSSL does not count.
  private let context: ServerTLSContext
  let wire: UnsafeMutablePointer<packhouse_tls_wire>
  private let recordsPerKey: UInt64

  /// A connection of loop `loop`. With TLS 1.3 it takes new keys for writing after `recordsPerKey` records, by default
  /// half of what one may be used for (RFC 8446 section 5.5). Throws when OpenSSL has no memory left.
  package init(
    _ context: ServerTLSContext, loop: Int = 0, sink: TLSSink, recordsPerKey: UInt64 = 1 << 23
  ) throws(TLSFailure) {
    self.recordsPerKey = recordsPerKey
    guard let ssl = SSL_new(context.handle(ofLoop: loop)) else { throw .fromQueue(during: "making a connection") }
    wire = .allocate(capacity: 1)
    wire.initialize(
      to: packhouse_tls_wire(
        input: nil, input_count: 0, written: 0, takes_keys: context.sealsRecords ? 1 : 0, sink: sink.sink,
        records: packhouse_tls_records()))
    self.ssl = ssl
    self.context = context
    guard let method = Self.method, packhouse_wire_attach(ssl, method, wire) == 1 else {
      throw .fromQueue(during: "making a connection")
    }
    SSL_set_accept_state(ssl)
  }

  deinit {
    SSL_free(ssl)
    packhouse_records_end(&wire.pointee.records)
    wire.deallocate()
  }

  /// Whether the handshake has finished.
  package var isEstablished: Bool { SSL_is_init_finished(ssl) == 1 }

  /// Whether the handshake went on from an earlier connection's ticket.
  package var isResumed: Bool { SSL_session_reused(ssl) == 1 }

  /// Whether records are encrypted straight into the sink, and not by OpenSSL in a buffer of its own.
  package var sealsItsRecords: Bool { wire.pointee.records.key_length != 0 }

  /// `TLSv1.3` or `TLSv1.2`.
  package var version: String { String(cString: SSL_get_version(ssl)) }

  /// Gives the next bytes from the network. They must stay where they are until `read` or `handshake`
  /// answered `wantsInput`.
  package func take(_ ciphertext: UnsafeRawBufferPointer) {
    wire.pointee.input = ciphertext.baseAddress?.assumingMemoryBound(to: UInt8.self)
    wire.pointee.input_count = ciphertext.count
  }

  /// Goes on with the handshake; `bytes(1)` means that it is done.
  package func handshake() -> Outcome {
    let code = SSL_do_handshake(ssl)
    return code == 1 ? .bytes(1) : outcome(code)
  }

  /// Decrypts into `buffer`, which must not be empty.
  package func read(into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
    var count = 0
    let code = SSL_read_ex(ssl, buffer.baseAddress, buffer.count, &count)
    return code == 1 ? .bytes(count) : outcome(code)
  }

  /// Whether `read` may find something without more from the network. False spares a call that would make OpenSSL
  /// allocate a record's buffer only to give it back.
  package var mayRead: Bool { wire.pointee.input_count > 0 || SSL_pending(ssl) > 0 }

  /// Encrypts all of `bytes` into the sink, which must have room (`roomForPlaintext`).
  package func write(_ bytes: UnsafeRawBufferPointer) -> Outcome {
    guard bytes.count > 0 else { return .bytes(0) }
    if wire.pointee.written >= recordsPerKey { renewKey() }
    var count = 0
    let code = SSL_write_ex(ssl, bytes.baseAddress, bytes.count, &count)
    return code == 1 ? .bytes(count) : outcome(code)
  }

  /// Puts close_notify into the sink.
  package func shutdown() {
    if isEstablished { SSL_shutdown(ssl) }
    ERR_clear_error()
  }

  /// Has the next `write` begin with a KeyUpdate. TLS 1.2 has none, and its numbers last longer than any connection.
  private func renewKey() {
    wire.pointee.written = 0
    if SSL_version(ssl) == TLS1_3_VERSION { SSL_key_update(ssl, SSL_KEY_UPDATE_NOT_REQUESTED) }
    ERR_clear_error()
  }

  private func outcome(_ code: Int32) -> Outcome {
    let error = SSL_get_error(ssl, code)
    // The queue is shared by all connections of the thread: what stays in it spoils the next call.
    ERR_clear_error()
    switch error {
    case SSL_ERROR_WANT_READ: return .wantsInput
    case SSL_ERROR_ZERO_RETURN: return .closed
    default: return .failed
    }
  }
}
