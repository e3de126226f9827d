/// Named limits of what an app may store. The numbers are decimal, as Apple writes them.
///
/// `apple` is App Store Connect's for asset packs; the `odr` ones are those of On-Demand Resources, which a private
/// server never had: they are for apps that want to stay within what Apple would host.
package enum QuotaPreset: String, CaseIterable, Sendable {
  case apple
  /// iOS before 18.
  case odr
  case odrIOS18 = "odr-ios18"
  case odrTVOS = "odr-tvos"
  /// Numbers of one's own.
  case custom

  /// Bytes of all packs of an app.
  package var maximumBytes: Int {
    switch self {
    case .apple, .custom: 200_000_000_000
    case .odr, .odrTVOS: 20_000_000_000
    case .odrIOS18: 70_000_000_000
    }
  }

  package var maximumPacks: Int {
    switch self {
    case .apple, .custom: 200
    case .odr, .odrIOS18, .odrTVOS: 1000
    }
  }

  /// Bytes of one pack; nil for no limit.
  package var maximumPackBytes: Int? {
    switch self {
    case .apple, .custom: nil
    case .odr, .odrTVOS: 512_000_000
    case .odrIOS18: 8_000_000_000
    }
  }

  /// Bytes of the packs that come with the installation; nil for no limit.
  package var maximumInitialBytes: Int? {
    switch self {
    case .apple, .custom: nil
    case .odr, .odrIOS18, .odrTVOS: 2_000_000_000
    }
  }

  /// Bytes of those and of the prefetched ones together; nil for no limit.
  package var maximumPrefetchedBytes: Int? {
    switch self {
    case .apple, .odrIOS18, .custom: nil
    case .odr, .odrTVOS: 4_000_000_000
    }
  }
}
