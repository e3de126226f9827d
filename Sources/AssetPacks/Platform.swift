/// A platform that an asset pack can be made for. Raw values are the packaging manifest's spelling.
package enum Platform: String, CaseIterable, Sendable, Comparable {
  case iOS, macOS, tvOS, visionOS

  /// The spelling of the admin API (App Store Connect's `Platform`).
  package var apiName: String {
    switch self {
    case .iOS: "IOS"
    case .macOS: "MAC_OS"
    case .tvOS: "TV_OS"
    case .visionOS: "VISION_OS"
    }
  }

  package static func < (a: Platform, b: Platform) -> Bool { a.rawValue < b.rawValue }
}
