/// How long versions that are no longer needed are kept. Times are in seconds.
///
/// A version that a manifest lists, that is live, or that a review waits for is kept in any case.
package struct Retention: Equatable, Sendable {
  /// How many of a pack's newest versions are kept that are not needed; at least ``floor``.
  package var supersededVersions: Int {
    didSet { supersededVersions = max(Self.floor, supersededVersions) }
  }
  /// How long a version is kept after its state last changed.
  package var supersededTime: Int64
  /// How long a version's URL still answers after the version was found to be past all of this.
  package var grace: Int64
  /// How long the versions of an archived pack are kept, so that archiving can be undone.
  package var archiveTime: Int64

  /// The version before the live one is never collected: a rollback needs it.
  package static let floor = 1
  private static let day: Int64 = 86_400

  package init(
    supersededVersions: Int = 5, supersededTime: Int64 = 90 * day, grace: Int64 = 7 * day, archiveTime: Int64 = 30 * day
  ) {
    self.supersededVersions = max(Self.floor, supersededVersions)
    self.supersededTime = max(0, supersededTime)
    self.grace = max(0, grace)
    self.archiveTime = max(0, archiveTime)
  }

  /// A complete version whose bytes are still there. Times are seconds since 1970.
  package struct Version: Equatable, Sendable {
    package var number: Int
    /// A manifest, a track or a review has it.
    package var isNeeded: Bool
    /// When its state on a track last changed.
    package var changed: Int64
    /// When it was found to be past retention; nil before that.
    package var marked: Int64?

    package init(number: Int, isNeeded: Bool, changed: Int64, marked: Int64? = nil) {
      self.number = number
      self.isNeeded = isNeeded
      self.changed = changed
      self.marked = marked
    }
  }

  /// The versions of a pack that are past retention, and when the bytes of each may go.
  ///
  /// - Parameter archived: when the pack was archived; nil when it is not.
  package func expired(_ versions: [Version], archived: Int64?, now: Int64) -> [(number: Int, due: Int64)] {
    let spare = versions.filter { !$0.isNeeded }.sorted { $0.number > $1.number }
    if let archived { return spare.map { ($0.number, Self.later(archived, archiveTime)) } }
    return spare.dropFirst(supersededVersions).filter { Self.later($0.changed, supersededTime) <= now }.map {
      ($0.number, Self.later($0.marked ?? now, grace))
    }
  }

  private static func later(_ time: Int64, _ seconds: Int64) -> Int64 {
    let (sum, overflow) = time.addingReportingOverflow(seconds)
    return overflow ? .max : sum
  }
}
