import COpenSSL
import SystemIO

/// A TLS connection to a server, over a connected socket, with calls that wait. For one thread at a time.
package final class BlockingTLSConnection {
  private let connection: OpaquePointer
  private let buffers: ClientSocketBuffers
  private let label: String
  private let patience: ClientPatience
  /// When the whole time is over; nil for never.
  private let end: ContinuousClock.Instant?
  private var isBroken = false

  /// Does the handshake and checks that the certificate is trusted and is for `host`, a DNS name or an IP address
  /// without brackets. `socket` must be connected; it is made non-blocking by the caller. `label` names the peer in
  /// messages, as "host:port".
  package init(
    over socket: consuming FileDescriptor, context: ClientTLS, host: String, label: String, patience: ClientPatience
  ) throws(TLSFailure) {
    let name = try SubjectName(host)
    guard let connection = SSL_new(context.context) else { throw .fromQueue(during: "making a TLS connection") }
    guard let incoming = BIO_new(BIO_s_mem()) else {
      SSL_free(connection)
      throw .fromQueue(during: "making a TLS connection")
    }
    guard let outgoing = BIO_new(BIO_s_mem()) else {
      BIO_free(incoming)
      SSL_free(connection)
      throw .fromQueue(during: "making a TLS connection")
    }
    SSL_set_bio(connection, incoming, outgoing)
    self.connection = connection
    self.label = label
    self.patience = patience
    end = patience.whole.map { .now + $0 }
    buffers = ClientSocketBuffers(
      socket: socket, incoming: incoming, outgoing: outgoing, label: label, cancellation: patience.cancellation)
    // A name indication is for DNS names only (RFC 6066 section 3).
    if case .dns(let text) = name, packhouse_send_server_name(connection, text) != 1 {
      throw .fromQueue(during: "naming the server \(text)")
    }
    SSL_set_connect_state(connection)
    try handshake()
    try check(name)
  }

  deinit { SSL_free(connection) }

  private func handshake() throws(TLSFailure) {
    let deadline = ContinuousClock.now + patience.connect
    while true {
      ERR_clear_error()
      let result = SSL_do_handshake(connection)
      let code = result == 1 ? SSL_ERROR_NONE : SSL_get_error(connection, result)
      let reasons = TLSFailure.drainQueue()
      let left = max(.zero, deadline - .now)
      if result == 1 { return try buffers.flush(limit: left) }
      guard code == SSL_ERROR_WANT_READ else {
        // The alert tells the server why; whether it arrives does not matter.
        try? buffers.flush(limit: min(left, .seconds(1)))
        throw refusal(reasons)
      }
      try buffers.flush(limit: left)
      guard try buffers.fill(limit: left) else {
        throw .handshake(host: label, reasons: ["the connection was closed during the handshake"])
      }
    }
  }

  private func refusal(_ reasons: [String]) -> TLSFailure {
    let verdict = SSL_get_verify_result(connection)
    let reason = String(cString: X509_verify_cert_error_string(verdict))
    switch Int32(clamping: verdict) {
    case X509_V_OK: return .handshake(host: label, reasons: reasons)
    case X509_V_ERR_CERT_HAS_EXPIRED, X509_V_ERR_CERT_NOT_YET_VALID: return .peerExpired(host: label, reason: reason)
    default: return .untrusted(host: label, reason: reason)
    }
  }

  /// The common name is not looked at, as on devices (RFC 9525 section 2). Done after the handshake and before any
  /// application data, because only then OpenSSL gives the certificate out for the message.
  private func check(_ name: SubjectName) throws(TLSFailure) {
    guard let pointer = SSL_get1_peer_certificate(connection) else {
      throw .untrusted(host: label, reason: "it sent none")
    }
    let certificate = Certificate(owning: pointer)
    let matches: Bool
    switch name {
    case .dns(let text):
      let flags = UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT)
      matches = X509_check_host(pointer, text, text.utf8.count, flags, nil) == 1
    case .address(let text): matches = X509_check_ip_asc(pointer, text, 0) == 1
    }
    guard matches else { throw .wrongName(host: label, names: certificate.alternativeNames) }
  }

  /// Sends all of `bytes`, waiting as long as something moves.
  package func send(_ bytes: UnsafeRawBufferPointer) throws(TLSFailure) {
    guard !buffers.outputEnded else { throw .closed(host: label) }
    var rest = bytes
    while !rest.isEmpty {
      var written = 0
      let piece = min(rest.count, 64 * 1024)
      try operate(step: "sending to \(label)") { SSL_write_ex(connection, rest.baseAddress, piece, &written) }
      guard written > 0 else { throw .closed(host: label) }
      rest = UnsafeRawBufferPointer(rebasing: rest[written...])
    }
  }

  /// Waits for bytes and puts them into `buffer`, which is not empty; 0 when the peer has closed in order. A peer that
  /// goes away without saying so is `.truncated`.
  package func receive(into buffer: UnsafeMutableRawBufferPointer) throws(TLSFailure) -> Int {
    var count = 0
    try operate(step: "reading from \(label)") { SSL_read_ex(connection, buffer.baseAddress, buffer.count, &count) }
    return count
  }

  /// Whether `receive` would come back at once, with bytes, the end or a failure. Does not wait.
  package func hasInput() -> Bool {
    guard (try? buffers.absorb()) != nil else { return true }
    var byte: UInt8 = 0
    var count = 0
    ERR_clear_error()
    let result = SSL_peek_ex(connection, &byte, 1, &count)
    let code = result == 1 ? SSL_ERROR_NONE : SSL_get_error(connection, result)
    ERR_clear_error()
    return code != SSL_ERROR_WANT_READ || buffers.inputEnded
  }

  /// Tells the peer that nothing more comes. The socket closes when the value goes away.
  package func close() {
    guard !isBroken else { return }
    isBroken = true
    ERR_clear_error()
    _ = SSL_shutdown(connection)
    ERR_clear_error()
    try? buffers.flush(limit: .seconds(1))
  }

  /// How long the next step may take.
  private var left: Duration {
    guard let end else { return patience.noProgress }
    return max(.zero, min(patience.noProgress, end - .now))
  }

  /// Runs one OpenSSL call until it is done, moving bytes in between. Comes back without a result when the peer has
  /// closed in order.
  private func operate(step: String, _ call: () -> Int32) throws(TLSFailure) {
    guard !isBroken else { throw .closed(host: label) }
    while true {
      ERR_clear_error()
      let result = call()
      let code = result == 1 ? SSL_ERROR_NONE : SSL_get_error(connection, result)
      let reasons = TLSFailure.drainQueue()
      do throws(TLSFailure) {
        switch code {
        case SSL_ERROR_NONE, SSL_ERROR_ZERO_RETURN: return try buffers.flush(limit: left)
        case SSL_ERROR_WANT_READ:
          try buffers.flush(limit: left)
          guard try buffers.fill(limit: left) else { throw .truncated(host: label) }
        default:
          try? buffers.flush(limit: .seconds(1))
          throw .library(during: step, reasons: reasons)
        }
      } catch {
        // After a failed send the peer's last words may still be there to be read.
        if code == SSL_ERROR_WANT_READ || code == SSL_ERROR_SSL { isBroken = true }
        throw error
      }
    }
  }
}
