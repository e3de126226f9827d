import JSONText
import Values

/// A download manifest as it came over the network, from this daemon or another server. Read strictly: what a device
/// may not understand is a fault.
package struct ReceivedManifest: Equatable, Sendable {
  /// One pack with its link.
  package struct Entry: Equatable, Sendable {
    package let pack: DownloadManifest.Entry
    /// An absolute https URL.
    package let url: String
  }

  /// In the order of the document.
  package let entries: [Entry]

  private static let keys = [
    "downloadPolicy", "downloadSize", "host", "id", "language", "url", "userInfo", "version",
  ]

  /// - Throws: `AssetPackFailure.downloadManifest` with every fault, each with its line and key path.
  package static func parse(_ bytes: [UInt8]) throws(AssetPackFailure) -> ReceivedManifest {
    let document: JSONDocument
    do {
      document = try JSONParser.parse(bytes)
    } catch {
      throw .downloadManifest([ManifestReading.fault(error)])
    }
    var reading = ManifestReading(document: document)
    let list = reading.object(document.cursor, allowing: ["assetPacks"])
      .flatMap { reading.required($0, "assetPacks", "an array of packs") }
      .flatMap { reading.array($0) }
    let entries = (list ?? []).compactMap { reading.receivedEntry($0, allowing: keys) }
    var seen: Set<AssetPackID> = []
    for (place, entry) in entries.enumerated() where !seen.insert(entry.pack.id).inserted {
      let path = JSONPath([.key("assetPacks"), .index(place), .key("id")])
      reading.note(path, "expected each id once, found \(quoted(entry.pack.id.text)) again")
    }
    guard list != nil, reading.faults.isEmpty else { throw .downloadManifest(reading.sortedFaults) }
    return ReceivedManifest(entries: entries)
  }
}

extension ManifestReading {
  fileprivate mutating func receivedEntry(_ cursor: JSONCursor, allowing keys: [String]) -> ReceivedManifest.Entry? {
    guard let object = object(cursor, allowing: keys) else { return nil }
    let id = required(object, "id", "the pack's name")
      .flatMap { value($0) { text throws(AssetPackFailure) in try AssetPackID(text) } }
    let url = required(object, "url", "an absolute https URL").flatMap { httpsURL($0) }
    let version = required(object, "version", "an integer")
      .flatMap { integer($0, in: 0...VersionNumber.maximum) }
      .flatMap { try? VersionNumber(onWire: $0) }
    let size = required(object, "downloadSize", "the archive's length in bytes")
      .flatMap { integer($0, in: 0 ... .max) }
    let policy = required(object, "downloadPolicy", "an object with one of \"essential\", \"prefetch\", \"onDemand\"")
      .flatMap { downloadPolicy($0) }
    if let host = required(object, "host", "{\"thirdParty\":{}}"), host.value != ["thirdParty": [:]] {
      note(
        host.path,
        "expected {\"thirdParty\":{}}, found \(host.value == [:] ? "{}" : host.value.kind + " of another content")")
    }
    let language = object.present("language")
      .flatMap { value($0) { text throws(AssetPackFailure) in try LanguageTag(text) } }
    let userInfo = object.present("userInfo").flatMap { anyObject($0) }
    guard let id, let url, let version, let size, let policy else { return nil }
    let pack = DownloadManifest.Entry(
      id: id, version: version, downloadSize: size, downloadPolicy: policy, language: language, userInfo: userInfo)
    return ReceivedManifest.Entry(pack: pack, url: url)
  }

  private mutating func httpsURL(_ cursor: JSONCursor) -> String? {
    guard let text = string(cursor) else { return nil }
    let rest = text.dropFirst(8)
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let isPlain = text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    guard text.prefix(8).lowercased() == "https://", isPlain, HostName(authority: String(authority)) != nil else {
      note(cursor.path, "expected an absolute https URL, found \(quoted(text))")
      return nil
    }
    return text
  }
}
