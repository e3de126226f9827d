import CLinux
import Glibc

/// A name that a certificate is made for, and that a client checks: a DNS name or an IP address.
package enum SubjectName: Sendable, Hashable {
  /// Lower-case A-labels (RFC 5890); the first label may be `*`.
  case dns(String)
  /// The text that inet_ntop(3) gives for the address.
  case address(String)

  /// Reads `text`: an IPv4 or IPv6 address (without brackets) or a DNS name of at most 253 characters in ASCII form.
  package init(_ text: String) throws(TLSFailure) {
    if let address = Self.canonicalAddress(text) {
      self = .address(address)
    } else if let name = Self.canonicalDNS(text) {
      self = .dns(name)
    } else {
      throw .invalidName(text)
    }
  }

  package var text: String {
    switch self {
    case .dns(let text), .address(let text): return text
    }
  }

  /// As OpenSSL's configuration files write it: "DNS:localhost", "IP:::1". The text holds no comma, so that a name
  /// cannot smuggle in another one.
  var configuration: String {
    switch self {
    case .dns(let text): return "DNS:\(text)"
    case .address(let text): return "IP:\(text)"
    }
  }

  /// An address of 4 or 16 bytes as text.
  static func addressText(_ bytes: [UInt8]) -> String {
    guard bytes.count == 4 || bytes.count == 16 else { return "address of \(bytes.count) bytes" }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      let family = bytes.count == 4 ? AF_INET : AF_INET6
      guard let start = buffer.baseAddress, inet_ntop(family, bytes, start, socklen_t(buffer.count)) != nil else {
        return ""
      }
      return String(cString: start)
    }
  }

  private static func canonicalAddress(_ text: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &bytes) == 1 { return addressText(Array(bytes[0..<4])) }
    if inet_pton(AF_INET6, text, &bytes) == 1 { return addressText(bytes) }
    return nil
  }

  private static func canonicalDNS(_ text: String) -> String? {
    let name = text.lowercased()
    guard (1...253).contains(name.utf8.count) else { return nil }
    let labels = name.split(separator: ".", omittingEmptySubsequences: false)
    for (index, label) in labels.enumerated() {
      if index == 0, label == "*", labels.count > 2 { continue }
      guard (1...63).contains(label.utf8.count), label.utf8.first != UInt8(ascii: "-"),
        label.utf8.last != UInt8(ascii: "-"), label.utf8.allSatisfy(isLetterDigitHyphen)
      else { return nil }
    }
    // A last label of digits is a mistyped IPv4 address (RFC 1123 section 2.1).
    guard let last = labels.last, !last.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return name
  }

  private static func isLetterDigitHyphen(_ byte: UInt8) -> Bool {
    (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: "_")
  }
}
