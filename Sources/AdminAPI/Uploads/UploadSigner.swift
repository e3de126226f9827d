import Digests
import SystemIO
import Values

/// Signs the addresses that parts are sent to, so that whoever has the address may send that file's parts
/// until it expires, and nothing else.
struct UploadSigner: Sendable {
  /// Seconds that an address is good for.
  static let lifetime: Int64 = 24 * 3600

  let key: [UInt8]
  let clock: WallClock

  /// The query of an address for `file`: `expires=…&signature=…`.
  func query(file: String) -> (text: String, expires: Int64) {
    let expires = clock.now() + Self.lifetime
    return ("expires=\(expires)&signature=\(hexadecimal(code(file, expires)))", expires)
  }

  /// Whether a request carries an address of this signer that has not expired.
  func accepts(file: String, query: [(String, String)]) -> Bool {
    var expires: Int64?
    var signature: String?
    for (name, value) in query {
      if name == "expires" { expires = Int64(value) }
      if name == "signature" { signature = value }
    }
    guard let expires, let signature, expires >= clock.now() else { return false }
    let expected = Array(hexadecimal(code(file, expires)).utf8)
    return MessageAuthentication.areEqual(expected, Array(signature.utf8))
  }

  private func code(_ file: String, _ expires: Int64) -> [UInt8] {
    MessageAuthentication.code(key: key, message: Array("upload\n\(file)\n\(expires)".utf8))
  }
}
