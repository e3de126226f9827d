import Digests
import Glibc
import HTTPClient
import PackStore
import SystemIO
import TLS
import Values

/// Makes one attempt at one delivery.
struct WebhookSender {
  /// How an attempt ended.
  enum Outcome: Equatable {
    case arrived(status: Int)
    case failed(status: Int?, reason: String)
    /// The daemon stops; the attempt does not count.
    case stopped
  }

  /// The most bytes of an answer that are read.
  private static let answerLimit = 64 << 10

  let rules: WebhookRules
  let tls: ClientTLS
  let userAgent: String
  /// Becomes readable when the daemon stops.
  let cancellation: Int32

  /// Sends the delivery over a connection of its own, so that the address is looked at each time. Redirects are not
  /// followed.
  func send(_ delivery: WebhookDeliveryRecord, to webhook: WebhookRecord, now: Int64) -> Outcome {
    let url: HTTPSURL
    do throws(WebhookFailure) { url = try rules.target(webhook.url) } catch {
      return .failed(status: nil, reason: error.sentence)
    }
    let body = Array(delivery.body.utf8)
    let request = ClientRequest(
      "POST", url,
      fields: [
        (name: "Content-Type", value: "application/json"),
        (name: WebhookSignature.eventField, value: delivery.event),
        (name: WebhookSignature.deliveryField, value: delivery.id),
        (name: WebhookSignature.timestampField, value: String(now)),
        (
          name: WebhookSignature.signatureField,
          value: WebhookSignature.value(secret: webhook.secret, timestamp: now, body: body)
        ),
      ], body: .bytes(body))
    var patience = ClientPatience(connect: rules.timeout, noProgress: rules.timeout)
    patience.whole = rules.timeout
    patience.cancellation = cancellation
    let rules = rules
    let client = HTTPSClient(tls: tls, patience: patience, userAgent: userAgent, admits: { rules.admits($0) })
    var status: Int?
    var received = 0
    do throws(HTTPClientFailure) {
      status = try client.perform(request) { response, bytes throws(HTTPClientFailure) in
        status = response.status
        received += bytes.count
        guard received <= Self.answerLimit else {
          throw .responseTooLarge(url.label, limit: Self.answerLimit)
        }
      }.status
    } catch {
      if Self.isCancelled(error) { return .stopped }
      // The status came before the rest: the receiver has the event.
      guard let status, (200...299).contains(status) else { return .failed(status: status, reason: error.sentence) }
    }
    let final = status ?? 0
    if (200...299).contains(final) { return .arrived(status: final) }
    let hint = (300...399).contains(final) ? " Redirects are not followed." : ""
    return .failed(status: final, reason: "\(url.label) answered with the status \(final).\(hint)")
  }

  private static func isCancelled(_ failure: HTTPClientFailure) -> Bool {
    switch failure {
    case .unreachable(_, let failure), .tls(.system(let failure)): failure.code == ECANCELED
    default: false
    }
  }
}

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
