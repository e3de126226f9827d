import HTTPCore
import PackStore

/// One manifest in two encodings. Each has an entity tag of its own (RFC 9110 section 8.8.3).
final class ManifestDocument: Sendable {
  let plain: Representation
  let gzipped: Representation?

  /// - Parameter isPersonal: whether other clients may get another manifest under the same URL, because a rollout runs.
  init(_ record: ManifestRecord, label: DeliveryLabel, isPersonal: Bool) {
    plain = Self.representation(record, StaticBytes(record.bytes), "", encoding: nil, label, isPersonal)
    gzipped = Gzip.compress(record.bytes).map {
      Self.representation(record, StaticBytes($0), "-gzip", encoding: "gzip", label, isPersonal)
    }
  }

  /// A personal one is kept by no shared cache, which would give one client's choice to all. It has no `Last-Modified`,
  /// because a client that goes from one manifest to the other may meet an older time.
  private static func representation(
    _ record: ManifestRecord, _ bytes: StaticBytes, _ suffix: String, encoding: String?, _ label: DeliveryLabel,
    _ isPersonal: Bool
  ) -> Representation {
    Representation(
      bytes: bytes, contentType: "application/json", cacheControl: isPersonal ? "private, no-cache" : "no-cache",
      encoding: encoding, vary: isPersonal ? "Accept-Encoding, Packhouse-Client-Key" : "Accept-Encoding",
      entityTag: record.sha256 + suffix, lastModified: isPersonal ? nil : record.published, acceptsRanges: true,
      label: label)
  }
}

/// The documents of one track by what they were made from, so that the next snapshot takes over those that stay.
struct ManifestDocuments {
  struct Key: Hashable {
    let sha256: String
    let published: Int64
    let isPersonal: Bool
  }

  private let label: DeliveryLabel
  private let previous: [Key: ManifestDocument]
  private let counts: BuildCounts
  private(set) var known: [Key: ManifestDocument] = [:]

  init(label: DeliveryLabel, previous: [Key: ManifestDocument], counts: BuildCounts) {
    self.label = label
    self.previous = previous
    self.counts = counts
  }

  mutating func document(_ record: ManifestRecord, isPersonal: Bool) -> ManifestDocument {
    let key = Key(sha256: record.sha256, published: record.published, isPersonal: isPersonal)
    if let found = known[key] ?? previous[key] {
      known[key] = found
      return found
    }
    let made = ManifestDocument(record, label: label, isPersonal: isPersonal)
    counts.addManifest()
    known[key] = made
    return made
  }
}
