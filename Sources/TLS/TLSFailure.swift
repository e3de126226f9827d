import COpenSSL
import Glibc
import SystemIO

/// What can go wrong with certificates, keys and TLS connections. `sentence` is the whole message for a person.
package enum TLSFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// OpenSSL refused a step. `during` completes "while …"; `reasons` are the entries of its error queue, oldest first.
  case library(during: String, reasons: [String])
  /// A system call on the connection's socket failed.
  case system(SystemFailure)

  /// No PEM block of the `expected` kind ("a certificate", "a private key") could be read from `file`.
  case notPEM(file: String, expected: String)
  /// The private key is protected by a pass phrase, which a daemon cannot ask for.
  case encryptedKey(file: String)
  case keyMismatch(certificateFile: String, keyFile: String)
  /// `at` is the certificate's last valid second, in seconds since 1970 UTC.
  case expired(file: String, at: Int64)
  /// `until` is the certificate's first valid second, in seconds since 1970 UTC.
  case notYetValid(file: String, until: Int64)
  case weakKey(file: String, kind: String, bits: Int)
  case noAlternativeName(file: String)
  /// A name for a new certificate that is neither a DNS name nor an IP address.
  case invalidName(String)
  /// A lifetime for a new certificate that is not in 1…825 days, which is what devices accept from private authorities.
  case invalidLifetime(days: Int)

  /// The peer's certificate does not lead to an authority that is trusted. `reason` is OpenSSL's.
  case untrusted(host: String, reason: String)
  case peerExpired(host: String, reason: String)
  /// The peer's certificate is for other names; `names` are those it is for.
  case wrongName(host: String, names: [String])
  /// The peer does not speak TLS, or no version and cipher suite that both accept.
  case handshake(host: String, reasons: [String])
  /// Nothing moved for `seconds` while `during` ("sending to …").
  case timedOut(during: String, seconds: Int)
  /// The peer went away without TLS's close_notify: what was received may be cut short (RFC 8446 section 6.1).
  case truncated(host: String)
  /// The peer closed the connection in order, and more was expected.
  case closed(host: String)

  /// Takes, and empties, this thread's OpenSSL error queue. Must follow the failed call directly.
  package static func fromQueue(during step: String) -> TLSFailure {
    .library(during: step, reasons: drainQueue())
  }

  /// This thread's OpenSSL errors, oldest first, as "reason (library)"; the queue is empty afterwards.
  package static func drainQueue() -> [String] {
    var reasons: [String] = []
    while true {
      let code = ERR_get_error()
      if code == 0 { return reasons }
      let library = ERR_lib_error_string(code).map { String(cString: $0) }
      let reason =
        ERR_reason_error_string(code).map { String(cString: $0) }
        ?? systemReason(code) ?? "error \(String(code, radix: 16))"
      reasons.append(library.map { "\(reason) (\($0))" } ?? reason)
    }
  }

  /// OpenSSL marks errno values with the highest bit of 32 and gives them no reason string.
  private static func systemReason(_ code: UInt) -> String? {
    guard code & 0x8000_0000 != 0, let number = Int32(exactly: code & 0x7fff_ffff) else { return nil }
    return String(cString: strerror(number))
  }
}

extension TLSFailure {
  /// Whether a certificate is in order but for its dates.
  package var isAboutTime: Bool {
    switch self {
    case .expired, .notYetValid: true
    case .library, .system, .notPEM, .encryptedKey, .keyMismatch, .weakKey, .noAlternativeName, .invalidName,
      .invalidLifetime, .untrusted, .peerExpired, .wrongName, .handshake, .timedOut, .truncated, .closed:
      false
    }
  }

  /// Whether the connection failed, and not what one side asks of the other.
  package var isTransient: Bool {
    switch self {
    case .system, .timedOut, .truncated, .closed: true
    case .library, .notPEM, .encryptedKey, .keyMismatch, .expired, .notYetValid, .weakKey, .noAlternativeName,
      .invalidName, .invalidLifetime, .untrusted, .peerExpired, .wrongName, .handshake:
      false
    }
  }

  package var description: String { sentence }

  /// What was wrong, where, what was expected and what to do.
  package var sentence: String {
    switch self {
    case .library(let step, let reasons):
      return "OpenSSL failed while \(step): \(Self.list(reasons))."
    case .system(let failure):
      return "\(failure)."
    case .notPEM(let file, let expected):
      return "\(file) does not hold \(expected) in PEM form; expected a \"-----BEGIN …-----\" block."
    case .encryptedKey(let file):
      return "The private key in \(file) is protected by a pass phrase; "
        + "store it without one (openssl pkey -in \(file) -out FILE) and give the file mode 0600."
    case .keyMismatch(let certificateFile, let keyFile):
      return "The private key in \(keyFile) does not belong to the certificate in \(certificateFile)."
    case .expired(let file, let at):
      return "The certificate in \(file) expired at \(CertificateTime.text(at)); renew it."
    case .notYetValid(let file, let until):
      return "The certificate in \(file) is not valid before \(CertificateTime.text(until)); "
        + "check this machine's clock."
    case .weakKey(let file, let kind, let bits):
      return "The key of the certificate in \(file) is \(kind) with \(bits) bits; "
        + "devices accept RSA of at least 2048 bits or an elliptic curve of at least 256."
    case .noAlternativeName(let file):
      return "The certificate in \(file) has no DNS name or IP address as subject alternative name; "
        + "devices ignore the common name, so it fits no host."
    case .invalidName(let name):
      return "\"\(name)\" is neither a DNS name in ASCII form nor an IP address."
    case .invalidLifetime(let days):
      return "A certificate cannot be made for \(days) days; devices accept 1 to 825 days from a private authority."
    case .untrusted(let host, let reason):
      return "The certificate of \(host) is not signed by a trusted authority (\(reason)); "
        + "pass --ca FILE with the authority's certificate."
    case .peerExpired(let host, let reason):
      return "The certificate of \(host) cannot be used now (\(reason)); renew it, or check this machine's clock."
    case .wrongName(let host, let names):
      let known = names.isEmpty ? "no name at all" : names.joined(separator: ", ")
      return "The certificate that answered for \(host) is for \(known); "
        + "use one of these names or get a new certificate."
    case .handshake(let host, let reasons):
      return "No TLS connection to \(host) could be made: \(Self.list(reasons))."
    case .timedOut(let step, let seconds):
      return "Nothing moved for \(seconds) seconds while \(step)."
    case .truncated(let host):
      return "\(host) broke the connection off in the middle of an answer."
    case .closed(let host):
      return "\(host) closed the connection before the answer was complete."
    }
  }

  private static func list(_ reasons: [String]) -> String {
    reasons.isEmpty ? "no reason was given" : reasons.joined(separator: "; ")
  }
}
