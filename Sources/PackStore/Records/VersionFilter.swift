import AssetPacks

/// Which versions of a pack are wanted; nil takes all.
package struct VersionFilter: Sendable, Equatable {
  package var number: Int?
  package var state: VersionState?
  package var sha256: String?

  package init(number: Int? = nil, state: VersionState? = nil, sha256: String? = nil) {
    self.number = number
    self.state = state
    self.sha256 = sha256
  }
}
