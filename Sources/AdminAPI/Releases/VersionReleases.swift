import AssetPacks
import HTTPCore
import JSONText
import PackStore

// `backgroundAssetVersion…Releases`: the state of a version on each track. They are read-only; a version gets them when
// it is complete, and releases and reviews move them.
extension AdminResources {
  var versionReleaseRoutes: [Route] {
    Track.allCases.map { track in
      let query = QueryShape(
        resource: track.releaseShape,
        includes: [QueryShape.Include(name: "backgroundAssetVersion", resource: Self.versionShape)])
      return Route(
        .get, "/v1/\(track.releaseType)/{id}", .viewer, .path(.release(on: track)), readRelease,
        .reads(query, "One release of a version on the track \(track.rawValue)"))
    }
  }

  private func readRelease(
    _ context: RequestContext, _ release: VersionReleaseRecord, _ query: Query
  ) throws(APIFailure) -> Message {
    var included: [ResourceObject] = []
    if query.include.contains("backgroundAssetVersion") {
      included.append(resource(try stored { () throws(StoreFailure) in try store.version(release.versionID) }))
    }
    return single(resource(release), query, included: included)
  }

  func resource(_ release: VersionReleaseRecord) -> ResourceObject {
    let type = release.track.releaseType
    return ResourceObject(
      type: type, id: release.id, attributes: JSONObject([("state", .string(release.state))]),
      relationships: [("backgroundAssetVersion", "backgroundAssetVersions", release.versionID)],
      path: "/v1/\(type)/\(release.id)")
  }
}

extension Track {
  /// App Store Connect's name for a release on the track.
  var releaseType: String {
    switch self {
    case .internal: "backgroundAssetVersionInternalBetaReleases"
    case .beta: "backgroundAssetVersionExternalBetaReleases"
    case .production: "backgroundAssetVersionAppStoreReleases"
    }
  }

  /// App Store Connect's name for a version's relationship to it.
  var relationshipName: String {
    switch self {
    case .internal: "internalBetaRelease"
    case .beta: "externalBetaRelease"
    case .production: "appStoreRelease"
    }
  }

  var releaseShape: ResourceShape {
    let states =
      switch self {
      case .internal: Schema.choice(of: InternalBetaState.self)
      case .beta: Schema.choice(of: ExternalBetaState.self)
      case .production: Schema.choice(of: ProductionState.self)
      }
    return ResourceShape(
      type: releaseType, attributes: [("state", states)],
      relationships: [ResourceShape.Relationship(name: "backgroundAssetVersion", type: "backgroundAssetVersions")])
  }
}

extension Owned<VersionReleaseRecord> {
  static func release(on track: Track) -> Owned {
    Owned(
      kind: .release, type: track.releaseType,
      find: { (store, id) throws(StoreFailure) in try store.versionRelease(id, track: track) }, app: { $0.appID })
  }
}
