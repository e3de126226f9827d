import Digests
import SystemIO
import Values

/// What proves to a receiver that a delivery is from here and fresh: HMAC with SHA-256 (RFC 2104) over the time of the
/// attempt, a dot, and the body.
package enum WebhookSignature {
  package static let signatureField = "X-Packhouse-Signature"
  package static let timestampField = "X-Packhouse-Timestamp"
  package static let eventField = "X-Packhouse-Event"
  package static let deliveryField = "X-Packhouse-Delivery"

  /// The value of the signature's field: `hmacsha256=` and 64 hexadecimal digits.
  package static func value(secret: String, timestamp: Int64, body: [UInt8]) -> String {
    let message = Array("\(timestamp).".utf8) + body
    return "hmacsha256=" + hexadecimal(MessageAuthentication.code(key: Array(secret.utf8), message: message))
  }
}
