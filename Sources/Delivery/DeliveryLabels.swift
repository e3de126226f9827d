import HTTPCore
import Synchronization

/// Gives every version that this process ever served a label of its own, which stays the same from snapshot to
/// snapshot, so that counting continues.
package final class DeliveryLabels: Sendable {
  private struct Version: Hashable {
    let app: String
    let pack: String
    let number: Int
  }

  private let labels = Mutex<[Version: DeliveryLabel]>([:])

  package init() {}

  /// The label of a version.
  func label(app: String, pack: String, version: Int) -> DeliveryLabel {
    labels.withLock { labels in
      let key = Version(app: app, pack: pack, number: version)
      if let known = labels[key] { return known }
      let label = DeliveryLabel(app: app, pack: pack, version: version, index: labels.count)
      labels[key] = label
      return label
    }
  }
}
