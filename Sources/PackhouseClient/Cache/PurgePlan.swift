import CLinux
import Glibc
import SystemIO

/// Which packs go when room is needed: first those with the lowest preservation priority, among equals those that were
/// not used for the longest time. Essential packs and packs in use never go.
struct PurgePlan: Equatable {
  struct Candidate {
    let id: String
    /// Bytes.
    let size: Int64
    /// From 0 to 1.
    let priority: Double
    /// Of the last use; only the order counts.
    let lastUse: Int64
  }

  /// In the order in which they go.
  let order: [String]

  init(_ candidates: [Candidate]) {
    order = candidates.sorted { ($0.priority, $0.lastUse, $0.id) < ($1.priority, $1.lastUse, $1.id) }.map(\.id)
  }
}
