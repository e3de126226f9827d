import CZlib
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

  /// A personal one is not stored by shared caches, which would give one client's choice to all. It has no
  /// `Last-Modified`, because a client that moves from one manifest to the other may see an older time.
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

/// The documents of one track by what they were made from, so that the next snapshot can reuse unchanged ones.
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

/// The gzip format (RFC 1952), for manifests; packs are never encoded.
enum Gzip {
  /// The compressed bytes, the same for the same input; nil when memory is short.
  static func compress(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    // 16 above the window's bits selects the gzip wrapper; its time field stays 0.
    guard packhouse_deflate_init2(&stream, 9, 15 + 16, 9) == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    guard let count = UInt32(exactly: bytes.count) else { return nil }
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(count))))
    var input = bytes
    let written = input.withUnsafeMutableBufferPointer { source in
      output.withUnsafeMutableBufferPointer { target -> Int? in
        stream.next_in = source.baseAddress
        stream.avail_in = count
        stream.next_out = target.baseAddress
        stream.avail_out = UInt32(target.count)
        return deflate(&stream, Z_FINISH) == Z_STREAM_END ? Int(stream.total_out) : nil
      }
    }
    guard let written else { return nil }
    return Array(output[0..<written])
  }
}
