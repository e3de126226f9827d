import HTTPCore
import TLS

/// An absolute https URL (RFC 3986), taken apart into what a request needs.
package struct HTTPSURL: Sendable, Hashable, CustomStringConvertible {
  /// A DNS name in lower case, or an IP address without brackets.
  package let host: String
  package let port: UInt16
  /// Path and query as they go into the request line; begins with a slash. Percent-encoding is left as it was.
  package let target: String

  /// Reads `text`. A fragment is dropped; a user name, other schemes and bytes that must be percent-encoded are
  /// refused.
  package init(_ text: String) throws(HTTPClientFailure) {
    guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
      throw .url(text, reason: "it holds a space, a control character or a letter that must be percent-encoded")
    }
    guard text.prefix(8).lowercased() == "https://" else {
      throw .url(text, reason: "it must begin with https://")
    }
    let rest = text.dropFirst(8).prefix { $0 != "#" }
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let tail = rest.dropFirst(authority.count)
    guard !authority.contains("@") else { throw .url(text, reason: "it must not hold a user name or password") }
    let (host, port) = try Self.split(authority, of: text)
    guard let name = try? SubjectName(host), !host.contains("*") else {
      throw .url(text, reason: "its host is neither a DNS name nor an IP address")
    }
    if case .dns = name, authority.hasPrefix("[") {
      throw .url(text, reason: "only an IPv6 address stands in brackets")
    }
    self.host = name.text
    self.port = port
    target = tail.hasPrefix("/") ? String(tail) : "/" + tail
  }

  private init(host: String, port: UInt16, target: String) {
    self.host = host
    self.port = port
    self.target = target
  }

  private static func split(
    _ authority: Substring, of text: String
  ) throws(HTTPClientFailure) -> (host: String, port: UInt16) {
    let host: Substring
    let port: Substring
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else { throw .url(text, reason: "the bracket is not closed") }
      host = authority[authority.index(after: authority.startIndex)..<end]
      port = authority[authority.index(after: end)...]
      guard host.contains(":") else { throw .url(text, reason: "only an IPv6 address stands in brackets") }
    } else {
      host = authority.prefix { $0 != ":" }
      port = authority.dropFirst(host.count)
    }
    if port.isEmpty || port == ":" { return (String(host), 443) }
    let digits = port.dropFirst()
    guard port.hasPrefix(":"), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(digits),
      number > 0
    else { throw .url(text, reason: "its port must be 1 to 65535, and an IPv6 address must stand in brackets") }
    return (String(host), number)
  }

  private var bracketedHost: String { host.contains(":") ? "[\(host)]" : host }

  /// The Host field: without the port when it is 443 (RFC 9110 section 7.2).
  package var authority: String { port == 443 ? bracketedHost : label }
  /// "host:port", for messages.
  package var label: String { "\(bracketedHost):\(port)" }
  package var description: String { "https://\(authority)\(target)" }
  /// The path without the query.
  package var path: Substring { target.prefix { $0 != "?" } }

  /// Whether a connection to one serves the other.
  package func hasSameOrigin(as other: HTTPSURL) -> Bool { host == other.host && port == other.port }

  /// This URL's path, followed by `path` (a relative path, already encoded) and a query of encoded pairs.
  package func appending(path: String, query: [(name: String, value: String)] = []) -> HTTPSURL {
    var target = String(self.path)
    if !target.hasSuffix("/") { target += "/" }
    target += path
    for (index, pair) in query.enumerated() {
      target += (index == 0 ? "?" : "&") + Self.encode(pair.name) + "=" + Self.encode(pair.value)
    }
    return HTTPSURL(host: host, port: port, target: target)
  }

  /// This URL with `query` (already encoded) behind the one it has.
  package func appending(query: String) -> HTTPSURL {
    HTTPSURL(host: host, port: port, target: target + (target.contains("?") ? "&" : "?") + query)
  }

  /// What `reference` means from here: an absolute URL, or an absolute path (RFC 3986 section 5.2, of which servers use
  /// no more).
  package func resolving(_ reference: String) throws(HTTPClientFailure) -> HTTPSURL {
    guard reference.hasPrefix("/"), !reference.hasPrefix("//") else { return try HTTPSURL(reference) }
    return try HTTPSURL("https://\(label)\(reference)")
  }

  /// Everything but the unreserved characters percent-encoded (RFC 3986 section 2.3).
  package static func encode(_ text: String) -> String { PercentCoding.encodeSegment(text) }
}
