import JSONText

/// The packs of a download manifest.
public struct AssetPackCatalog: Sendable, Equatable {
  /// In the manifest's order; ids are unique.
  public let packs: [AssetPack]

  /// Decodes the bytes of a download manifest. Throws `.malformedManifest` with the place of the first fault.
  public init(manifest: [UInt8]) throws(PackhouseClientFailure) {
    let root: JSONValue
    do throws(JSONFailure) { root = try JSONParser.parse(manifest).root } catch {
      throw .malformedManifest(error.sentence)
    }
    guard let values = root["assetPacks"]?.array else {
      throw .malformedManifest("expected a list at /assetPacks")
    }
    var packs: [AssetPack] = []
    var known: Set<String> = []
    for (index, value) in values.enumerated() {
      let path = JSONPath.root.appending("assetPacks").appending(index)
      let pack = try AssetPack(value, at: path)
      guard known.insert(pack.id).inserted else {
        throw .malformedManifest("the pack \(pack.id) is there twice, the second time at \(path.pointer)")
      }
      packs.append(pack)
    }
    self.packs = packs
  }

  /// The pack with that id.
  public subscript(id: String) -> AssetPack? { packs.first { $0.id == id } }
}
