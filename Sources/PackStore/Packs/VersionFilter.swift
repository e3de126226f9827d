import AssetPacks
import JSONText

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

  /// The same as filters of a list.
  var filters: [Listing.Filter] {
    let wanted: [(String, JSONValue?)] = [
      ("version", number.map { .integer($0) }), ("state", state.map { .string($0.rawValue) }),
      ("sha256", sha256.map { .string($0) }),
    ]
    return wanted.compactMap { name, value in
      guard let value, let column = ListSchema.versions.columns.first(where: { $0.name == name }) else { return nil }
      return Listing.Filter(column, [value])
    }
  }
}
