import AssetPacks
import JSONText
import PackStore

// What the bodies of releases, rollouts and rollbacks have in common.

extension Field<Set<String>> {
  /// Packs that may disappear from a manifest.
  static var confirmedRemovals: Field { Field("confirmedRemovals", .packIdentifiers, or: []) }
}

extension ValueShape<Set<String>> {
  static var packIdentifiers: ValueShape {
    ValueShape<[String]>.list(.text(1...128), 0...1000).map { Set($0) }
  }
}

extension Field<Track> {
  static var track: Field { Field("track", .choice(Track.self), expected: "a track") }
}

extension Field<[ReleaseItem]> {
  /// What should go live: at least one pack.
  static var releaseItems: Field {
    Field("packs", .list(.releaseItem, 1...1000, expected: "at least one pack"), expected: "a list of packs")
  }
}

extension ValueShape<ReleaseItem> {
  /// A pack, and a version of it or the newest.
  static var releaseItem: ValueShape {
    ValueShape<(String, Int?)>.object(
      Field("assetPackIdentifier", .text(1...128), expected: "an asset pack id"), Field("version", .versionNumber)
    ).map { (identifier, number) in number.map { ReleaseItem(identifier, number: $0) } ?? ReleaseItem(identifier) }
  }
}

extension ValueShape<Int> {
  /// A version's number, which is a string on the wire.
  static var versionNumber: ValueShape {
    ValueShape(Schema.version) { (version) throws(JSONShapeFailure) in
      let text = try version.string(bytes: 1...19)
      guard let number = Int(text), number > 0 else { throw version.outOfRange("a number above 0, as a string") }
      return number
    }
  }
}

extension AdminResources {
}
