import AssetPacks
import HTTPCore
import PackStore

/// The manifests of one track: for every platform together, and for each of them; each plain and gzipped.
struct ManifestSet: Sendable {
  /// The same document in two encodings. Each has an entity tag of its own (RFC 9110 section 8.8.3).
  struct Document: Sendable {
    let plain: Representation
    let gzipped: Representation?

    init(_ record: ManifestRecord, label: DeliveryLabel) {
      plain = Self.representation(StaticBytes(record.bytes), tag: record.sha256, encoding: nil, record.published, label)
      gzipped = Gzip.compress(record.bytes).map {
        Self.representation(StaticBytes($0), tag: "\(record.sha256)-gzip", encoding: "gzip", record.published, label)
      }
    }

    private static func representation(
      _ bytes: StaticBytes, tag: String, encoding: String?, _ published: Int64, _ label: DeliveryLabel
    ) -> Representation {
      Representation(
        bytes: bytes, contentType: "application/json", cacheControl: "no-cache", encoding: encoding,
        vary: "Accept-Encoding", entityTag: tag, lastModified: published, acceptsRanges: true, label: label)
    }
  }

  private let all: Document
  /// Nil for a platform that no pack was ever released for.
  private let byPlatform: [Document?]

  /// Nil when the track has no manifest for every platform together.
  init?(_ records: [ManifestRecord], label: DeliveryLabel) {
    guard let everything = records.first(where: { $0.scope == .all }) else { return nil }
    all = Document(everything, label: label)
    byPlatform = Platform.allCases.map { platform in
      records.first { $0.scope == .platform(platform) }.map { Document($0, label: label) }
    }
  }

  /// The document that a request gets: its query may name a platform, its fields may allow gzip. Nil when there
  /// is no pack for the platform: an empty manifest would make devices delete what they have.
  func representation(for request: RequestView) -> Representation? {
    var document = all
    if request.query.count > 0, let platform = PlatformQuery.platform(in: request.query) {
      guard platform.index < byPlatform.count, let own = byPlatform[platform.index] else { return nil }
      document = own
    }
    if let gzipped = document.gzipped, let accepted = request.first(.acceptEncoding),
      AcceptEncoding.allowsGzip(accepted)
    {
      return gzipped
    }
    return document.plain
  }
}

extension Platform {
  /// The place in `allCases`.
  fileprivate var index: Int {
    switch self {
    case .iOS: 0
    case .macOS: 1
    case .tvOS: 2
    case .visionOS: 3
    }
  }
}
