/// Whose rules a pack's id is held against.
package enum PackIDProfile: String, CaseIterable, Sendable {
  /// Packhouse's own, which every id that can be read meets.
  case selfHosted = "self-hosted"
  /// App Store Connect's: letters, digits and hyphens.
  case appStore = "app-store"

  /// What speaks against the id under this profile; nil when nothing does.
  package func complaint(about id: AssetPackID) -> String? {
    switch self {
    case .selfHosted: nil
    case .appStore: id.storeProfileWarning
    }
  }
}
