import Values

/// The address at which devices reach the daemon, and with which every published link begins: https, a host, a port
/// if it is not 443, and a path if the daemon is below one. A trailing slash is dropped.
package struct PublicBaseURL: Hashable, Sendable, CustomStringConvertible {
  package let host: HostName
  /// Nil for 443.
  package let port: Int?
  /// Empty, or `/` and more without a slash at the end.
  package let pathPrefix: String

  /// - Throws: `AssetPackFailure.publicBaseURL` with what is wrong.
  package init(_ text: String) throws(AssetPackFailure) {
    func failure(_ problem: String) -> AssetPackFailure { .publicBaseURL(text, problem: problem) }
    guard text.prefix(8).lowercased() == "https://" else {
      throw failure("expected https:// at the beginning; devices refuse everything else, on localhost too")
    }
    let rest = text.dropFirst(8)
    guard !rest.contains("?"), !rest.contains("#") else { throw failure("expected no query and no fragment") }
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    let authority = String(rest[..<slash])
    guard !authority.contains("@") else { throw failure("expected no user name or password") }
    guard let host = HostName(authority: authority) else {
      throw failure("expected a host, and after a colon a port up to 65535, found \"\(authority.prefix(60))\"")
    }
    self.host = host
    let afterHost = authority.utf8.last == UInt8(ascii: "]") ? nil : authority.split(separator: ":").last
    let port = authority.contains(":") ? afterHost.flatMap { Int($0) } : nil
    guard port != 0 else { throw failure("expected a port from 1 to 65535, found 0") }
    self.port = port == 443 ? nil : port

    var path = String(rest[slash...])
    if path.hasSuffix("/") { path.removeLast() }
    let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    guard segments.allSatisfy({ !["", ".", ".."].contains($0) }), path.utf8.allSatisfy(Self.isPathByte) else {
      throw failure("expected a path of letters, digits and - . _ ~ without empty, \".\" and \"..\" parts")
    }
    pathPrefix = path
  }

  /// Host and port as in a Host field.
  package var authority: String { port.map { "\(host.text):\($0)" } ?? host.text }

  /// The whole URL. ASCII without quotes and backslashes, so it needs no escaping in JSON.
  package var text: String { "https://\(authority)\(pathPrefix)" }

  package var description: String { text }

  private static func isPathByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"): true
    default: false
    }
  }
}
