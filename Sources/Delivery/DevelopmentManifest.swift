import AssetPacks
import HTTPCore
import PackStore

/// The answer to `/manifest`, which a device asks for when a base URL is typed into its developer settings. Its links
/// lead to the address that the device used, so it is rendered for each request; everything else is prepared.
struct DevelopmentManifest: Sendable {
  private struct Document: Sendable {
    let template: DownloadManifestTemplate
    let sha256: String
    let published: Int64
  }

  /// The app's place in the snapshot.
  private(set) var app: Int
  private let bundleID: String
  private let records: [ManifestRecord]
  private let label: DeliveryLabel
  private let all: Document
  private let byPlatform: [Platform: Document]

  /// Nil when the track was never published or its manifest cannot be parsed.
  init?(app: Int, bundleID: String, records: [ManifestRecord]) {
    self.app = app
    self.bundleID = bundleID
    self.records = records
    label = DeliveryLabel(app: bundleID, track: records.first?.track.rawValue)
    var all: Document?
    var byPlatform: [Platform: Document] = [:]
    for record in records {
      guard let bundleID = try? BundleID(bundleID), let received = try? ReceivedManifest.parse(record.bytes),
        let manifest = try? DownloadManifest(app: bundleID, entries: received.entries.map(\.pack))
      else { return nil }
      let document = Document(template: manifest.template, sha256: record.sha256, published: record.published)
      switch record.scope {
      case .all: all = document
      case .platform(let platform): byPlatform[platform] = document
      }
    }
    guard let all else { return nil }
    self.all = all
    self.byPlatform = byPlatform
  }

  /// Whether it would be made from the same inputs again.
  func isMade(from records: [ManifestRecord], app bundleID: String) -> Bool {
    self.bundleID == bundleID && self.records == records
  }

  /// A copy for an app whose place differs in the next snapshot.
  func moved(to app: Int) -> DevelopmentManifest {
    var moved = self
    moved.app = app
    return moved
  }

  /// Whether the path is that of the override.
  func isMeant(_ path: UnsafeRawBufferPointer) -> Bool {
    let expected: StaticString = "/manifest"
    return path.count == expected.utf8CodeUnitCount
      && (0..<path.count).allSatisfy { path[$0] == expected.utf8Start[$0] }
  }

  /// The document with links to the authority that the client used, which is on the allow-list; nil when it is not a
  /// host, or when there is no pack for the platform.
  func representation(for request: RequestView) -> Representation? {
    let authority = String(decoding: request.authority, as: UTF8.self)
    guard let base = try? PublicBaseURL("https://\(authority)") else { return nil }
    var document = all
    if let platform = PlatformQuery.platform(in: request.query) {
      guard let own = byPlatform[platform] else { return nil }
      document = own
    }
    // The links are part of the bytes, so the authority is part of the tag.
    return Representation(
      bytes: StaticBytes(document.template.render(baseURL: base)), contentType: "application/json",
      cacheControl: "no-cache", entityTag: "\(document.sha256)-\(base.authority)", lastModified: document.published,
      acceptsRanges: true, label: label)
  }
}
