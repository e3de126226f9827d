import AssetPacks
import JSONText

/// What processing found in an archive.
package struct ProcessingFacts: Sendable, Equatable {
  /// 64 lower-case hexadecimal digits.
  package let sha256: String
  /// The archive's length in bytes.
  package let size: Int64
  /// The length of what it unpacks to, in bytes.
  package let installSize: Int64
  /// Empty means all.
  package let platforms: [Platform]
  package let language: LanguageTag?
  package let policy: PackDownloadPolicy
  /// Copied from the packaging manifest.
  package let userInfo: JSONObject?
  /// Warnings and infos for `stateDetails`.
  package let messages: [VersionMessage]

  package init(
    sha256: String, size: Int64, installSize: Int64, platforms: [Platform], language: LanguageTag?,
    policy: PackDownloadPolicy, userInfo: JSONObject?, messages: [VersionMessage] = []
  ) {
    self.sha256 = sha256
    self.size = size
    self.installSize = installSize
    self.platforms = platforms
    self.language = language
    self.policy = policy
    self.userInfo = userInfo
    self.messages = messages
  }
}
