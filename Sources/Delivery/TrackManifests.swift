import AssetPacks
import HTTPCore
import PackStore

/// What the URL of a track's manifest serves: the track's own, and those of its lanes.
final class TrackManifests: Sendable {
  /// What a request gets.
  enum Found {
    case representation(Representation)
    /// No pack for the platform.
    case noPack
    /// The query names a lane that the track does not have.
    case noLane
  }

  let base: ManifestSet
  private let names: ByteKeyTable?
  private let lanes: [ManifestSet]

  init(base: ManifestSet, lanes: [(name: String, set: ManifestSet)], seed: UInt64) {
    self.base = base
    self.lanes = lanes.map(\.set)
    names =
      lanes.isEmpty
      ? nil
      : ByteKeyTable(
        lanes.enumerated().map { (Array($1.name.utf8), Int32(truncatingIfNeeded: $0)) }, seed: seed)
  }

  /// An unknown name is refused: the track's own manifest could list versions that the app cannot read, and a device
  /// never goes back. With 404 it keeps what it has.
  func find(_ request: RequestView) -> Found {
    var set = base
    if request.query.count > 0, let name = TrackQuery.lane(in: request.query) {
      guard let place = lookup(name), place < lanes.count else { return .noLane }
      set = lanes[place]
    }
    guard let representation = set.representation(for: request) else { return .noPack }
    return .representation(representation)
  }

  private func lookup(_ name: UnsafeRawBufferPointer) -> Int? {
    guard let names else { return nil }
    if let place = names.lookup(name) { return Int(exactly: place) }
    // A client may have percent-encoded what needs no encoding.
    guard name.count <= 256, name.contains(UInt8(ascii: "%")), let decoded = PercentCoding.decode(name) else {
      return nil
    }
    return decoded.withUnsafeBytes { names.lookup($0) }.flatMap { Int(exactly: $0) }
  }
}
