import JSONText

/// What a manifest URL serves: the asset packs of one app on one track for one platform.
package struct DownloadManifest: Equatable, Sendable {
  /// One pack in the version that is live.
  package struct Entry: Equatable, Sendable {
    package var id: AssetPackID
    package var version: VersionNumber
    /// The archive's length in bytes, exactly what a download delivers.
    package var downloadSize: Int
    package var downloadPolicy: PackDownloadPolicy
    package var language: LanguageTag?
    package var userInfo: JSONObject?

    package init(
      id: AssetPackID, version: VersionNumber, downloadSize: Int, downloadPolicy: PackDownloadPolicy,
      language: LanguageTag? = nil, userInfo: JSONObject? = nil
    ) {
      self.id = id
      self.version = version
      self.downloadSize = downloadSize
      self.downloadPolicy = downloadPolicy
      self.language = language
      self.userInfo = userInfo
    }
  }

  package let app: BundleID
  /// By id.
  package let entries: [Entry]

  /// - Throws: `AssetPackFailure.duplicatePack` when an id comes twice.
  package init(app: BundleID, entries: [Entry]) throws(AssetPackFailure) {
    let sorted = entries.sorted { $0.id < $1.id }
    for (entry, next) in zip(sorted, sorted.dropFirst()) where entry.id == next.id { throw .duplicatePack(entry.id) }
    self.app = app
    self.entries = sorted
  }

  /// The document with links below `baseURL`: `<base>/apps/<app>/packs/<version>/<id>`.
  package func render(baseURL: PublicBaseURL) -> [UInt8] { template.render(baseURL: baseURL) }

  /// The document with the base of its links left open, to be rendered for several bases.
  package var template: DownloadManifestTemplate {
    var serializer = Segments()
    serializer.append("{\"assetPacks\":[")
    for (place, entry) in entries.enumerated() {
      if place > 0 { serializer.append(",") }
      serializer.append("{\"downloadPolicy\":", entry.downloadPolicy.json)
      serializer.append(",\"downloadSize\":\(entry.downloadSize),\"host\":{\"thirdParty\":{}},\"id\":\"\(entry.id)\"")
      if let language = entry.language { serializer.append(",\"language\":\"\(language)\"") }
      serializer.append(",\"url\":\"")
      serializer.leaveOpen()
      serializer.append("/apps/\(app)/packs/\(entry.version)/\(entry.id)\"")
      if let userInfo = entry.userInfo { serializer.append(",\"userInfo\":", .object(userInfo)) }
      serializer.append(",\"version\":\(entry.version)}")
    }
    serializer.append("]}")
    return DownloadManifestTemplate(segments: serializer.finished)
  }

  private struct Segments {
    var finished: [[UInt8]] { done + [current] }
    private var done: [[UInt8]] = []
    private var current: [UInt8] = []

    mutating func append(_ text: String, _ value: JSONValue? = nil) {
      current.append(contentsOf: text.utf8)
      if let value { current.append(contentsOf: value.serialize()) }
    }

    mutating func leaveOpen() {
      done.append(current)
      current = []
    }
  }
}

/// A rendered download manifest without the base of its links.
package struct DownloadManifestTemplate: Equatable, Sendable {
  /// The bytes between the places where the base URL goes.
  let segments: [[UInt8]]

  /// The document: copies of bytes, no JSON work.
  package func render(baseURL: PublicBaseURL) -> [UInt8] {
    let base = Array(baseURL.text.utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(segments.reduce(0) { $0 + $1.count + base.count })
    for (place, segment) in segments.enumerated() {
      if place > 0 { bytes.append(contentsOf: base) }
      bytes.append(contentsOf: segment)
    }
    return bytes
  }
}
