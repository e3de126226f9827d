import HTTPCore

/// What stands behind one path of the client listener.
enum Resource: Sendable {
  /// The manifests of an app's track.
  case manifest(ManifestSet)
  /// One version of a pack.
  case pack(Representation)
  /// A pack whose file is missing or damaged: refused until it is restored, never served short.
  case damaged
}

/// A resource and the app that it belongs to, by the app's place in the snapshot.
struct AppResource: Sendable {
  let app: Int
  let resource: Resource
}
