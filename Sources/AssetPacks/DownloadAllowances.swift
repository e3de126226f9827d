/// The limits in an app's Info.plist that its packs must stay within; nil where unknown.
///
/// Those of downloads are in compressed bytes, those of installations in uncompressed ones.
package struct DownloadAllowances: Equatable, Sendable {
  /// The plist's key of each.
  package enum Key: String, CaseIterable, Sendable {
    case download = "BADownloadAllowance"
    case essentialDownload = "BAEssentialDownloadAllowance"
    case maximumInstall = "BAMaxInstallSize"
    case essentialMaximumInstall = "BAEssentialMaxInstallSize"
  }

  /// One comparison.
  package struct Check: Equatable, Sendable {
    package let key: Key
    /// What the plist allows, in bytes.
    package let allowed: Int64
    /// What all packs of the manifest need, in bytes.
    package let needed: Int64

    package var fits: Bool { needed <= allowed }
  }

  package private(set) var values: [Key: Int64]

  package init(_ values: [Key: Int64] = [:]) { self.values = values }

  /// Compares the packs of a manifest with what is known, in the order of the keys.
  package func checks(_ total: ReleaseCost.ByPolicy) -> [Check] {
    Key.allCases.compactMap { key in
      values[key].map { Check(key: key, allowed: $0, needed: Self.needed(key, total)) }
    }
  }

  private static func needed(_ key: Key, _ total: ReleaseCost.ByPolicy) -> Int64 {
    func sum(_ a: Int64, _ b: Int64) -> Int64 {
      let (sum, overflow) = a.addingReportingOverflow(b)
      return overflow ? .max : sum
    }
    return switch key {
    case .download: sum(total.prefetch.downloadBytes, total.onDemand.downloadBytes)
    case .essentialDownload: total.essential.downloadBytes
    case .maximumInstall: sum(total.prefetch.installBytes, total.onDemand.installBytes)
    case .essentialMaximumInstall: total.essential.installBytes
    }
  }
}
