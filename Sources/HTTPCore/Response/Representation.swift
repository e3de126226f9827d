/// What a URL stands for at the moment: bytes with the fields that describe them. Made once when something is
/// published and then shared by all loops, so that answering a request renders nothing.
package final class Representation: Sendable {
  /// Where the bytes are.
  package enum Body: Sendable {
    case bytes(StaticBytes)
    /// An open file, read from its start; `owner` keeps the descriptor open.
    case file(descriptor: Int32, owner: any AnyObject & Sendable)
  }

  package let body: Body
  /// Length of the body in bytes, not negative.
  package let length: Int
  /// The entity tag with its quotes; always a strong one.
  package let entityTag: StaticBytes
  /// Seconds since 1970.
  package let lastModified: Int64?
  package let contentType: StaticBytes
  /// Rendered field lines, each ending in CR LF, that belong into 200, 206 and 304 (RFC 9110 section 15.4.5): ETag,
  /// Last-Modified, Cache-Control, Accept-Ranges, Vary and the extra ones.
  package let fields: StaticBytes
  /// Rendered field lines for 200 and 206 only: Content-Type and Content-Encoding.
  package let contentFields: StaticBytes
  /// Whether the bytes have a Content-Encoding.
  package let isEncoded: Bool
  /// Whether Range is heeded.
  package let acceptsRanges: Bool
  /// What it is, for the access log and for counting.
  package let label: DeliveryLabel?

  /// Renders the field lines. Control bytes in values are dropped, and in the tag everything an entity tag may not
  /// hold, so that no value can add a line.
  ///
  /// - Parameters:
  ///   - length: of the body in bytes; negative counts as 0.
  ///   - cacheControl: the value of Cache-Control.
  ///   - encoding: the value of Content-Encoding; nil for bytes as they are.
  ///   - vary: the value of Vary; wanted whenever there is more than one encoding.
  ///   - entityTag: the tag without quotes.
  ///   - lastModified: seconds since 1970.
  ///   - extraFields: more fields for 200, 206 and 304.
  ///   - label: what it is, for the access log and for counting.
  package init(
    body: Body, length: Int, contentType: String, cacheControl: String, encoding: String? = nil, vary: String? = nil,
    entityTag: String, lastModified: Int64?, acceptsRanges: Bool, extraFields: [(name: String, value: String)] = [],
    label: DeliveryLabel? = nil
  ) {
    self.body = body
    self.label = label
    self.length = max(length, 0)
    self.lastModified = lastModified
    self.acceptsRanges = acceptsRanges
    isEncoded = encoding != nil
    let tag = [0x22] + entityTag.utf8.filter { $0 > 0x20 && $0 != 0x22 && $0 != 0x7F } + [0x22]
    self.entityTag = StaticBytes(tag)
    self.contentType = StaticBytes(FieldText.value(contentType))

    var lines: [UInt8] = []
    FieldText.append("ETag", String(decoding: tag, as: UTF8.self), to: &lines)
    if let lastModified { FieldText.append("Last-Modified", HTTPDate.text(lastModified), to: &lines) }
    FieldText.append("Cache-Control", cacheControl, to: &lines)
    if acceptsRanges { FieldText.append("Accept-Ranges", "bytes", to: &lines) }
    if let vary { FieldText.append("Vary", vary, to: &lines) }
    for field in extraFields { FieldText.append(field.name, field.value, to: &lines) }
    fields = StaticBytes(lines)

    var content: [UInt8] = []
    FieldText.append("Content-Type", contentType, to: &content)
    if let encoding { FieldText.append("Content-Encoding", encoding, to: &content) }
    contentFields = StaticBytes(content)
  }

  /// The same with a body in memory.
  package convenience init(
    bytes: StaticBytes, contentType: String, cacheControl: String, encoding: String? = nil, vary: String? = nil,
    entityTag: String, lastModified: Int64?, acceptsRanges: Bool, extraFields: [(name: String, value: String)] = [],
    label: DeliveryLabel? = nil
  ) {
    self.init(
      body: .bytes(bytes), length: bytes.count, contentType: contentType, cacheControl: cacheControl,
      encoding: encoding, vary: vary, entityTag: entityTag, lastModified: lastModified, acceptsRanges: acceptsRanges,
      extraFields: extraFields, label: label)
  }
}

/// What a representation is in the words of the people who run the server, for the access log and for counting.
/// Made when something is published; serving it renders and allocates nothing.
package final class DeliveryLabel: Sendable {
  /// The app's bundle ID.
  package let app: String
  /// Set for manifests.
  package let track: String?
  /// Set for packs, as is `version`.
  package let pack: String?
  package let version: Int?
  /// Where deliveries are counted: a small number of its own for each version, from 0. Nil when they are not.
  package let index: Int?

  package init(app: String, track: String? = nil, pack: String? = nil, version: Int? = nil, index: Int? = nil) {
    self.app = app
    self.track = track
    self.pack = pack
    self.version = version
    self.index = index
  }
}
