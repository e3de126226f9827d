import Digests
import PropertyLists
import SystemIO
import TLS
import Values

/// A configuration profile (`.mobileconfig`) that brings an authority onto Apple's devices. After installing it the
/// person still has to switch full trust on.
package struct TrustProfile: Sendable {
  /// The profile as XML; it is not signed, which devices say and accept.
  package let bytes: [UInt8]
  /// The authority's name, as devices list it.
  package let name: String

  /// Ids are made from the certificate, so that the same authority is the same profile.
  package init(authority: PEMText) throws(TLSFailure) {
    let certificate = try authority.firstCertificateDER()
    let subject = try CertificateFacts(of: authority).subject
    name = Self.commonName(subject)
    let digest = Digest.sha256(certificate)
    let label = hexadecimal(Array(digest.prefix(6)))
    let payload = PropertyDictionary([
      ("PayloadCertificateFileName", .string("packhouse-\(label).cer")), ("PayloadContent", .data(certificate)),
      ("PayloadDescription", .string("Adds the authority \(name).")), ("PayloadDisplayName", .string(name)),
      ("PayloadIdentifier", .string("packhouse.authority.\(label).certificate")),
      ("PayloadType", .string("com.apple.security.root")),
      ("PayloadUUID", .string(Self.uuid(Array(digest.prefix(16))))), ("PayloadVersion", .integer(1)),
    ])
    let profile = PropertyDictionary([
      ("PayloadContent", .array([.dictionary(payload)])),
      (
        "PayloadDescription",
        .string("Lets this device trust servers whose certificates were made by \(name). For development only.")
      ),
      ("PayloadDisplayName", .string(name)), ("PayloadIdentifier", .string("packhouse.authority.\(label)")),
      ("PayloadRemovalDisallowed", .bool(false)), ("PayloadType", .string("Configuration")),
      ("PayloadUUID", .string(Self.uuid(Array(digest.suffix(16))))), ("PayloadVersion", .integer(1)),
    ])
    bytes = Array(PropertyList.dictionary(profile).xml.utf8)
  }

  /// "CN=Name,O=Packhouse" gives "Name".
  private static func commonName(_ subject: String) -> String {
    let part = subject.split(separator: ",").first { $0.hasPrefix("CN=") }
    return part.map { String($0.dropFirst(3)) } ?? subject
  }

  /// Sixteen bytes as a UUID of version 8, which is for makers' own rules (RFC 9562 section 5.8).
  private static func uuid(_ bytes: [UInt8]) -> String {
    var bytes = bytes
    guard bytes.count == 16 else { return "" }
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = Array(hexadecimal(bytes).uppercased())
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
  }
}
