/// A platform that an asset pack can be made for. Raw values are the packaging manifest's spelling.
package enum Platform: String, CaseIterable, Sendable, Comparable {
  case iOS, macOS, tvOS, visionOS

  /// The spelling of the admin API (App Store Connect's `Platform`).
  package var apiName: String {
    switch self {
    case .iOS: "IOS"
    case .macOS: "MAC_OS"
    case .tvOS: "TV_OS"
    case .visionOS: "VISION_OS"
    }
  }

  package static func < (a: Platform, b: Platform) -> Bool { a.rawValue < b.rawValue }
}

/// Finds the platform in a manifest request's query. What devices append is not documented, so anything unknown names
/// no platform, and nothing is an error.
package enum PlatformQuery {
  /// The platform of the first understood `platform=` parameter, names and values in any letter case; nil without one.
  /// - Parameter query: the raw bytes after `?`. Nothing is allocated.
  package static func platform(in query: UnsafeRawBufferPointer) -> Platform? {
    var start = 0
    while start < query.count {
      var end = start
      while end < query.count, query[end] != UInt8(ascii: "&") { end += 1 }
      if let found = platform(ofParameter: UnsafeRawBufferPointer(rebasing: query[start..<end])) { return found }
      start = end + 1
    }
    return nil
  }

  /// The same for bytes in an array.
  package static func platform(in query: [UInt8]) -> Platform? {
    query.withUnsafeBytes { platform(in: $0) }
  }

  private static func platform(ofParameter bytes: UnsafeRawBufferPointer) -> Platform? {
    if matches(bytes, "platform=ios") { return .iOS }
    if matches(bytes, "platform=macos") { return .macOS }
    if matches(bytes, "platform=tvos") { return .tvOS }
    if matches(bytes, "platform=visionos") { return .visionOS }
    return nil
  }

  /// Whether the bytes are `word`, which is in lower case, in any letter case.
  private static func matches(_ bytes: UnsafeRawBufferPointer, _ word: StaticString) -> Bool {
    guard bytes.count == word.utf8CodeUnitCount else { return false }
    return word.withUTF8Buffer { word in
      word.indices.allSatisfy { place in
        let byte = bytes[place]
        return ((0x41...0x5A).contains(byte) ? byte | 0x20 : byte) == word[place]
      }
    }
  }
}
