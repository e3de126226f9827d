import JSONText

/// The packs of a download manifest.
public struct AssetPackCatalog: Sendable, Equatable {
  /// In the manifest's order; ids are unique.
  public let packs: [AssetPack]
  private let places: [String: Int]

  /// Decodes the bytes of a download manifest. Throws `.malformedManifest` with the place of the first fault.
  public init(manifest: [UInt8]) throws(ManagedBackgroundAssetsError) {
    let root: JSONValue
    do throws(JSONFailure) { root = try JSONParser.parse(manifest).root } catch {
      throw .malformedManifest(error.sentence)
    }
    guard let values = root["assetPacks"]?.array else {
      throw .malformedManifest("expected a list at /assetPacks")
    }
    var packs: [AssetPack] = []
    var places: [String: Int] = [:]
    for (index, value) in values.enumerated() {
      let path = JSONPath.root.appending("assetPacks").appending(index)
      let pack = try AssetPack(value, at: path)
      guard places.updateValue(index, forKey: pack.id) == nil else {
        throw .malformedManifest("the pack \(pack.id) is there twice, the second time at \(path.pointer)")
      }
      packs.append(pack)
    }
    self.packs = packs
    self.places = places
  }

  /// The pack with that id.
  public subscript(id: String) -> AssetPack? { places[id].map { packs[$0] } }

  /// The packs that carry the tag: those whose `userInfo.tags` has it, else the one with that id.
  public func packs(tagged tag: String) -> [AssetPack] {
    let tagged = packs.filter { $0.tags.contains(tag) }
    return tagged.isEmpty ? self[tag].map { [$0] } ?? [] : tagged
  }

  /// What devices download by themselves at an installation event, in that order: essential packs, then those to
  /// prefetch.
  func packs(at event: DownloadPolicy.InstallationEvent) -> [AssetPack] {
    let essential = packs.filter {
      if case .essential(let events) = $0.downloadPolicy { events.contains(event) } else { false }
    }
    let prefetch = packs.enumerated().filter {
      if case .prefetch(let events) = $0.element.downloadPolicy { events.contains(event) } else { false }
    }
    let ordered = prefetch.sorted {
      ($0.element.prefetchOrder ?? .max, $0.offset) < ($1.element.prefetchOrder ?? .max, $1.offset)
    }
    return essential + ordered.map(\.element)
  }
}
