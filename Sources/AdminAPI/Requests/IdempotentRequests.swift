import AssetPacks
import Digests
import HTTPCore
import PackStore
import Synchronization

// `Idempotency-Key`: a `POST` that is sent again does its work once.
//
// The key is kept in the transaction of the work, the answer right after it. A refusal keeps nothing: nothing was done.
extension AdminAPI {
  private static let fieldName = "Idempotency-Key"

  /// Answers a `POST`; one whose key has already been used gets the stored answer.
  func create(_ route: Route, _ context: RequestContext) throws(APIFailure) -> Message {
    guard let identity = context.identity, let text = context.request.field(Self.fieldName) else {
      return try route.answer(context, store)
    }
    guard (1...255).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw APIFailure(
        .idempotencyKeyInvalid, "The Idempotency-Key is not valid; expected 1 to 255 visible ASCII characters.",
        source: .header(Self.fieldName))
    }
    guard running.begin(token: identity.id, key: text) else {
      throw APIFailure(
        .idempotencyInProgress, "A request with this Idempotency-Key is in progress; send it again in a second.",
        source: .header(Self.fieldName), fields: [("Retry-After", "1")])
    }
    defer { running.end(token: identity.id, key: text) }
    let key = IdempotencyKey(
      token: identity.id, text: text, request: "\(context.request.methodName) \(context.request.path)",
      bodySHA256: Digest.sha256Text(context.request.body))
    if let record = try known(key) { return try repeated(record, as: key, route, context) }

    let conditions = RequestConditions(key: key)
    var context = context
    context.conditions = conditions
    let message = try route.answer(context, store)
    if (200..<300).contains(message.status) { keep(message, key, route) }
    return message
  }

  private func known(_ key: IdempotencyKey) throws(APIFailure) -> IdempotencyRecord? {
    do throws(StoreFailure) {
      if let record = try store.idempotencyRecord(token: key.token, text: key.text) { return record }
      guard try store.hasAllIdempotencyKeys(token: key.token) else { return nil }
    } catch {
      throw APIFailure(error)
    }
    throw APIFailure(
      .idempotencyKeysExhausted,
      "The token has sent \(IdempotencyRecord.keyLimit) keys within 24 hours, which is the limit; leave the "
        + "Idempotency-Key out, or wait.", source: .header(Self.fieldName), fields: [("Retry-After", "3600")])
  }

  private func keep(_ message: Message, _ key: IdempotencyKey, _ route: Route) {
    let answer = KeptAnswer(status: message.status, location: message.value(of: "Location"), body: message.body)
    do throws(StoreFailure) {
      try store.keepAnswer(route.answersSecret ? nil : answer, key: key, subject: nil)
    } catch {
      log.error("The answer to a request with an Idempotency-Key was not kept: \(error.sentence)")
    }
  }

  private func repeated(
    _ record: IdempotencyRecord, as key: IdempotencyKey, _ route: Route, _ context: RequestContext
  ) throws(APIFailure) -> Message {
    guard record.key == key else {
      throw APIFailure(
        .idempotencyKeyReused,
        "This Idempotency-Key was already used for \(record.key.request), with another path or body; use a new key for "
          + "each new request.", source: .header(Self.fieldName))
    }
    let mark = [("Cache-Control", "no-store"), ("Idempotency-Replayed", "true")]
    if let answer = record.answer {
      return Message(
        status: answer.status, contentType: answer.body.isEmpty ? nil : "application/json", body: answer.body,
        fields: mark + (answer.location.map { [("Location", $0)] } ?? []))
    }
    if !route.answersSecret, let subject = record.subject, let (path, message) = made(subject, route, context) {
      let tag = message.value(of: "ETag").map { [("ETag", $0)] } ?? []
      return Message(
        status: 201, contentType: "application/json", body: message.body, fields: mark + [("Location", path)] + tag)
    }
    throw APIFailure(
      .idempotencyAnswerNotKept,
      "This request was carried out before and is not repeated, but its answer was not kept. Read what is there now.",
      source: .header(Self.fieldName))
  }

  /// The resource that a create has made, in its current state.
  private func made(_ id: String, _ route: Route, _ context: RequestContext) -> (path: String, Message)? {
    let path = "\(route.pattern)/\(id)"
    guard let reading = routes.first(where: { $0.method == .get && $0.segments == route.segments + [.value] }) else {
      return nil
    }
    let look = context.reading(path, id: id)
    return (try? reading.answer(look, store)).map { (path, $0) }
  }
}

/// The requests with an `Idempotency-Key` that are in progress.
final class RunningRequests: Sendable {
  private let keys = Mutex<Set<String>>([])

  /// Takes the key of a token; false when another request has it.
  func begin(token: String, key: String) -> Bool {
    keys.withLock { $0.insert("\(token) \(key)").inserted }
  }

  func end(token: String, key: String) { keys.withLock { _ = $0.remove("\(token) \(key)") } }
}
