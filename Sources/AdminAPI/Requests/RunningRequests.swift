import Synchronization

/// The requests with an `Idempotency-Key` that are being worked on at this moment.
final class RunningRequests: Sendable {
  private let keys = Mutex<Set<String>>([])

  /// Takes the key of a token; false when another request has it.
  func begin(token: String, key: String) -> Bool {
    keys.withLock { $0.insert("\(token) \(key)").inserted }
  }

  func end(token: String, key: String) { keys.withLock { _ = $0.remove("\(token) \(key)") } }
}
