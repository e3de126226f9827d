/// Decides what a request gets of a representation: conditions first, in the order of RFC 9110 section 13.2.2, then
/// Range. What cannot be read is ignored where that leads to a full response, and fails where it leads to a refusal.
package enum Preconditions {
  /// The conditions that were sent at all; most requests have none.
  private static let bits =
    KnownField.ifMatch.bit | KnownField.ifUnmodifiedSince.bit | KnownField.ifNoneMatch.bit
    | KnownField.ifModifiedSince.bit | KnownField.range.bit

  /// Evaluates the request's conditions and its range.
  package static func select(_ request: RequestView, _ representation: Representation) -> Selection {
    let sent = request.head.knownFields
    guard sent & bits != 0 else { return .whole }
    let method = request.head.method
    // Section 13.2.1: conditions mean nothing for methods that neither select nor change a representation.
    guard method != .options, method != .connect, method != .trace else { return .whole }
    let reads = method == .get || method == .head

    if sent & KnownField.ifMatch.bit != 0 {
      if !matches(request, .ifMatch, representation.entityTag, weakly: false) { return .preconditionFailed }
    } else if let modified = representation.lastModified,
      let limit = request.only(.ifUnmodifiedSince).flatMap(HTTPDate.parse), modified > limit
    {
      return .preconditionFailed
    }

    if sent & KnownField.ifNoneMatch.bit != 0 {
      if matches(request, .ifNoneMatch, representation.entityTag, weakly: true) {
        return reads ? .notModified : .preconditionFailed
      }
    } else if reads, let modified = representation.lastModified,
      let known = request.only(.ifModifiedSince).flatMap(HTTPDate.parse), modified <= known
    {
      return .notModified
    }

    guard method == .get, representation.acceptsRanges, let range = request.only(.range),
      rangeApplies(request, representation)
    else { return .whole }
    return ByteRangeSet.select(range, of: representation, limit: request.head.rangeLimit)
  }

  /// Whether one of the tags in all fields of that name is the representation's, or the only member is `*`.
  private static func matches(
    _ request: RequestView, _ field: KnownField, _ tag: StaticBytes, weakly: Bool
  ) -> Bool {
    for index in 0..<request.head.fieldCount where request.fields[index].known == field {
      let value = request.bytes(request.fields[index].value)
      if EntityTagList.isAny(value) { return request.count(of: field) == 1 }
      if EntityTagList.names(tag.pointer, in: value, weakly: weakly) { return true }
    }
    return false
  }

  /// If-Range (section 13.1.5): a strong tag, or a date that is exactly Last-Modified.
  private static func rangeApplies(_ request: RequestView, _ representation: Representation) -> Bool {
    guard request.head.knownFields & KnownField.ifRange.bit != 0 else { return true }
    guard let value = request.only(.ifRange) else { return false }
    if let tag = EntityTagList.single(value), !tag.isWeak {
      return Octets.same(tag.quoted, representation.entityTag.pointer)
    }
    guard let date = HTTPDate.parse(value), let modified = representation.lastModified else { return false }
    return date == modified
  }
}
