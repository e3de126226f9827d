import AppleArchive
import AssetPacks
import Packing

extension Arguments {
  /// The platforms of `--platform`.
  func platforms() throws(CommandFailure) -> [Platform] {
    var platforms: [Platform] = []
    for name in all("platform") {
      guard let platform = Platform(rawValue: name) else {
        let names = Platform.allCases.map(\.rawValue).joined(separator: ", ")
        throw CommandFailure("--platform must be one of \(names), not \(name).", .usage)
      }
      if !platforms.contains(platform) { platforms.append(platform) }
    }
    return platforms
  }

  /// The profile of `--profile`, App Store Connect's when nothing else is said.
  func profile() throws(CommandFailure) -> PackIDProfile {
    guard let name = value("profile") else { return .appStore }
    guard let profile = PackIDProfile(rawValue: name) else {
      let names = PackIDProfile.allCases.map(\.rawValue).joined(separator: " or ")
      throw CommandFailure("--profile must be \(names), not \(name).", .usage)
    }
    return profile
  }
}

extension Verb.Option {
  static let profile = value(
    "profile", "PROFILE", "Whose rules the id must meet: self-hosted, or app-store (letters, digits, hyphens).")
  static let strict = flag("strict", "Treat every warning as an error: exit code 65.")
}
