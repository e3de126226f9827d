import HTTPCore

/// What stands behind one path of the client listener.
enum Resource: Sendable {
  /// The manifests of an app's track.
  case track(TrackManifests)
  /// The manifests of one lane, under its own URL.
  case lane(ManifestSet)
  /// One version of a pack.
  case pack(Representation)
  /// A pack whose file is missing or damaged: refused until it is restored, never served short.
  case damaged
}
