import HTTPCore

/// What stands behind one path of the client listener.
enum Resource: Sendable {
  /// The manifests of an app's track.
  case track(TrackManifests)
  /// The manifests of one lane, under its own URL.
  case lane(ManifestSet)
  /// One version of a pack.
  case pack(Representation)
  /// One version of a pack whose file is not open yet: only between a start and the end of its first moments.
  case closed(ClosedPack)
  /// A pack whose file is missing or damaged: refused until it is restored, never served short.
  case damaged
}
