import Synchronization

/// The hashes of credentials that were accepted lately. Their owners go on when somebody else behind the same address
/// is slowed down: a tunnel or a gateway gives many clients one address.
final class AcceptedCredentials: Sendable {
  private struct Generations {
    var recent: Set<[UInt8]> = []
    var older: Set<[UInt8]> = []
  }

  /// How many each of the two generations holds.
  static let limit = 1024

  private let generations = Mutex(Generations())

  /// Whether the credential was accepted when it was shown last.
  func contains(_ hash: [UInt8]) -> Bool {
    generations.withLock { $0.recent.contains(hash) || $0.older.contains(hash) }
  }

  func add(_ hash: [UInt8]) {
    generations.withLock { generations in
      if generations.recent.contains(hash) { return }
      if generations.recent.count >= Self.limit {
        generations.older = generations.recent
        generations.recent = []
      }
      generations.recent.insert(hash)
    }
  }

  func remove(_ hash: [UInt8]) {
    generations.withLock { generations in
      generations.recent.remove(hash)
      generations.older.remove(hash)
    }
  }
}
