import SystemIO
import TLS

/// Why an HTTP exchange did not come to an answer. An answer with a status of 400 or more is an answer.
package enum HTTPClientFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// `reason` completes "…, because" in the words "it must begin with https://".
  case url(String, reason: String)
  /// The name service knows no address; `reason` is its own.
  case unknownHost(String, reason: String)
  /// The host has an address that must not be connected to.
  case addressNotAllowed(host: String, address: String)
  /// Nothing listens at any of the host's addresses.
  case refused(String)
  case unreachable(String, SystemFailure)
  case connectTimedOut(String, seconds: Int)
  case tls(TLSFailure)
  /// A file that is sent or written, or a local call.
  case system(SystemFailure)
  /// The body to be sent ended before its announced length.
  case requestBodyShort(length: Int64, at: Int64)
  /// What was received is not HTTP/1.1; `reason` says where.
  case malformedResponse(String, reason: String)
  case responseTooLarge(String, limit: Int)
  /// The connection ended inside a body. `expected` is nil when the length was not announced.
  case bodyTruncated(String, received: Int64, expected: Int64?)
  case tooManyRedirects(String, limit: Int)
  /// A redirect without a usable Location.
  case badRedirect(String, location: String)

  package var description: String { sentence }

  /// What was wrong, where, what was expected and what to do.
  package var sentence: String {
    switch self {
    case .url(let text, let reason): "\"\(text)\" is not a usable URL: \(reason)."
    case .unknownHost(let host, let reason): "The address of \(host) could not be found: \(reason)."
    case .addressNotAllowed(let host, let address):
      "\(host) has the address \(address), which may not be connected to; it is not one of the public internet."
    case .refused(let label): "Nothing listens on \(label); is packhouse running, and is this its address and port?"
    case .unreachable(let label, let failure): "\(label) cannot be reached: \(failure.reason)."
    case .connectTimedOut(let label, let seconds):
      "\(label) did not answer within \(seconds) seconds; check the address and the firewalls in between."
    case .tls(let failure): failure.sentence
    case .system(let failure): "\(failure)."
    case .requestBodyShort(let length, let at):
      "The file that is being sent ended at byte \(at) instead of \(length); it was changed while it was read."
    case .malformedResponse(let label, let reason): "The answer of \(label) is not HTTP/1.1: \(reason)"
    case .responseTooLarge(let label, let limit): "The answer of \(label) is longer than \(limit) bytes."
    case .bodyTruncated(let label, let received, let expected?):
      "\(label) broke the answer off after \(received) of \(expected) bytes."
    case .bodyTruncated(let label, let received, nil): "\(label) broke the answer off after \(received) bytes."
    case .tooManyRedirects(let url, let limit): "\(url) was redirected more than \(limit) times."
    case .badRedirect(let url, let location): "\(url) is redirected to \"\(location)\", which is not an https URL."
    }
  }

  /// Whether the same request may go through when it is tried again: the connection failed, not the request.
  package var isTransient: Bool {
    switch self {
    case .refused, .unreachable, .connectTimedOut, .bodyTruncated: return true
    case .tls(let failure): return failure.isTransient
    case .url, .unknownHost, .addressNotAllowed, .system, .requestBodyShort, .malformedResponse, .responseTooLarge,
      .tooManyRedirects, .badRedirect:
      return false
    }
  }
}
