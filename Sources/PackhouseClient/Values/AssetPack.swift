import JSONText

/// One entry of a download manifest.
public struct AssetPack: Sendable, Hashable, Identifiable {
  public let id: String
  /// Rises when the bytes change, and only then.
  public let version: Int
  /// The exact length of the archive in bytes.
  public let downloadSize: Int64
  /// Absolute, https.
  public let url: String
  public let downloadPolicy: DownloadPolicy
  /// 64 lower-case hexadecimal digits: `sha256` of `userInfo`; nil when the manifest has none.
  public let sha256: String?
  /// The `userInfo` object as JSON text; nil when there is none.
  public let userInfo: String?
  /// A BCP 47 tag; nil for packs for every language.
  public let language: String?
  /// On-Demand Resources' tags: the list `tags` of `userInfo`. The id is a tag of every pack besides.
  public let tags: [String]
  /// The place among the packs to prefetch: `prefetchOrder` of `userInfo`; those without one come after, in the order
  /// of the manifest.
  public let prefetchOrder: Int?
  /// How long it stays when room is needed, from 0 (goes first) to 1: `preservationPriority` of `userInfo`, else 0.
  public let preservationPriority: Double

  /// Bytes of a pack: so many that no sum over all packs of a manifest overflows.
  static let sizes: ClosedRange<Int64> = 0...(1 << 44)

  /// Whether a terminal shows the letter and does nothing else with it.
  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7f..<0xa0, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069: false
    default: true
    }
  }

  init(_ value: JSONValue, at path: JSONPath) throws(ManagedBackgroundAssetsError) {
    func refuse(_ key: String, _ expected: String) -> ManagedBackgroundAssetsError {
      .malformedManifest("expected \(expected) at \(path.appending(key).pointer)")
    }
    guard let id = value["id"]?.string, !id.isEmpty, id.utf8.count <= 1024, id.unicodeScalars.allSatisfy(Self.isPlain)
    else { throw refuse("id", "a pack id without control characters") }
    guard let version = value["version"]?.int, version >= 0 else { throw refuse("version", "an integer from 0") }
    guard let size = value["downloadSize"]?.int, Self.sizes.contains(Int64(size)) else {
      throw refuse("downloadSize", "a number of bytes up to \(Self.sizes.upperBound)")
    }
    guard let url = value["url"]?.string, url.lowercased().hasPrefix("https://") else {
      throw refuse("url", "an absolute https URL")
    }
    guard let policy = value["downloadPolicy"].flatMap(DownloadPolicy.init) else {
      throw refuse("downloadPolicy", "one of essential, prefetch and onDemand")
    }
    let digest = value["userInfo"]?["sha256"]?.string?.lowercased()
    if let digest {
      guard digest.utf8.count == 64, digest.allSatisfy(\.isHexDigit) else {
        throw .malformedManifest(
          "expected 64 hexadecimal digits at \(path.appending("userInfo").appending("sha256").pointer)")
      }
    }
    self.id = id
    self.version = version
    self.url = url
    downloadSize = Int64(size)
    downloadPolicy = policy
    sha256 = digest
    userInfo = value["userInfo"]?.text()
    language = value["language"]?.string
    tags = value["userInfo"]?["tags"]?.array?.compactMap(\.string) ?? []
    prefetchOrder = value["userInfo"]?["prefetchOrder"]?.int
    preservationPriority = value["userInfo"]?["preservationPriority"]?.fraction ?? 0
  }
}
