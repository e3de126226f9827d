import JSONText

/// The packaging manifest: what a pack is and which files go into it (`Manifest.json`, in the source tree and in the
/// archive).
package struct PackagingManifest: Equatable, Sendable {
  /// Where a manifest was read from.
  package enum Origin: Sendable {
    /// Written by people.
    case sourceTree
    /// Written by a packer, which adds `toolsVersion`.
    case archive
  }

  package var assetPackID: AssetPackID
  package var downloadPolicy: PackDownloadPolicy
  package var fileSelectors: [FileSelector]
  /// The platforms as they are written, in order; empty means all of them.
  package var platforms: [Platform]
  package var language: LanguageTag?
  /// The root of the selectors, relative to the manifest's folder; may lead upwards with `..`. Without it the working
  /// directory is the root.
  package var sourceRoot: String?
  /// Copied into the download manifest.
  package var userInfo: JSONObject?
  /// The packer's version; only in an archive.
  package var toolsVersion: String?

  package init(
    assetPackID: AssetPackID, downloadPolicy: PackDownloadPolicy, fileSelectors: [FileSelector],
    platforms: [Platform] = [], language: LanguageTag? = nil, sourceRoot: String? = nil, userInfo: JSONObject? = nil,
    toolsVersion: String? = nil
  ) {
    self.assetPackID = assetPackID
    self.downloadPolicy = downloadPolicy
    self.fileSelectors = fileSelectors
    self.platforms = platforms
    self.language = language
    self.sourceRoot = sourceRoot
    self.userInfo = userInfo
    self.toolsVersion = toolsVersion
  }

  /// The platforms that the pack is for, `[]` spelled out.
  package var effectivePlatforms: Set<Platform> { Set(platforms.isEmpty ? Platform.allCases : platforms) }

  /// What is allowed here and would cause trouble elsewhere.
  package var warnings: [String] { assetPackID.storeProfileWarning.map { [$0] } ?? [] }

  /// The manifest for the inside of an archive: canonical, so that equal manifests give equal bytes. Keys are in fixed
  /// order, `userInfo` keeps its own, and a line feed ends the text.
  package func archiveJSON(toolsVersion: String) -> [UInt8] { json(toolsVersion: toolsVersion) }

  /// The manifest for a source tree, in the same form.
  package func sourceJSON() -> [UInt8] { json(toolsVersion: nil) }

  private func json(toolsVersion: String?) -> [UInt8] {
    var object = JSONObject()
    object.set("assetPackID", .string(assetPackID.text))
    object.set("downloadPolicy", downloadPolicy.json)
    object.set("fileSelectors", .array(fileSelectors.map(\.json)))
    if let language { object.set("language", .string(language.text)) }
    object.set("platforms", .array(platforms.map { .string($0.rawValue) }))
    if let sourceRoot { object.set("sourceRoot", .string(sourceRoot)) }
    if let toolsVersion { object.set("toolsVersion", .string(toolsVersion)) }
    if let userInfo { object.set("userInfo", .object(userInfo)) }
    return JSONValue.object(object).serialize(.pretty) + [0x0A]
  }
}
