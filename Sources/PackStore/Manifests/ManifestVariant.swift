/// Which of a track's manifests for one scope: a track has more than one while it has lanes or a rollout runs.
package struct ManifestVariant: Hashable, Sendable {
  /// Whether it is for those whom a rollout has reached.
  package enum Side: String, Sendable, CaseIterable {
    case current, new
  }

  /// Nil for the track itself.
  package let lane: String?
  package let side: Side

  /// What everybody gets where there is neither a lane nor a rollout.
  package static let base = ManifestVariant(lane: nil, side: .current)

  package init(lane: String?, side: Side) {
    self.lane = lane
    self.side = side
  }

  /// For the audit log: empty for the base.
  var suffix: String { (lane.map { " lane \($0)" } ?? "") + (side == .new ? " rollout" : "") }
}
