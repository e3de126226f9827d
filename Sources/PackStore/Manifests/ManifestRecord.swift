import AssetPacks

/// Which packs a manifest lists: those of one platform, or all.
package enum ManifestScope: Hashable, Sendable, Comparable {
  case all
  case platform(Platform)

  /// `all`, or the platform in the packaging manifest's spelling.
  package var name: String {
    switch self {
    case .all: "all"
    case .platform(let platform): platform.rawValue
    }
  }

  package init?(name: String) {
    if name == "all" {
      self = .all
    } else if let platform = Platform(rawValue: name) {
      self = .platform(platform)
    } else {
      return nil
    }
  }

  /// `all` first, then the platforms by name.
  package static var allScopes: [ManifestScope] { [.all] + Platform.allCases.sorted().map { .platform($0) } }

  package static func < (a: ManifestScope, b: ManifestScope) -> Bool {
    if case .all = a { return b != .all }
    if case .all = b { return false }
    return a.name < b.name
  }
}

/// A published manifest: exactly the bytes that devices get.
package struct ManifestRecord: Sendable, Equatable {
  package let track: Track
  package let scope: ManifestScope
  /// Rises with each change of the bytes, from 1.
  package let generation: Int
  package let bytes: [UInt8]
  /// Of the bytes; 64 lower-case hexadecimal digits.
  package let sha256: String
  /// Seconds since 1970.
  package let published: Int64
  package var variant = ManifestVariant.base
}
