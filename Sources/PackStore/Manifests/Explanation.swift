import AssetPacks

/// Which version of each pack a request gets, and why.
package struct Explanation: Sendable, Equatable {
  package enum Reason: String, Sendable, CaseIterable {
    /// It is live on the track.
    case live = "LIVE"
    /// The lane keeps it there.
    case lane = "LANE"
    /// A rollout has reached the client.
    case rolloutNew = "ROLLOUT_NEW"
    /// A rollout is running and has not reached the client.
    case rolloutPrevious = "ROLLOUT_PREVIOUS"
    /// The manifest for the platform does not list it.
    case otherPlatform = "OTHER_PLATFORM"
  }

  package struct Pack: Sendable, Equatable {
    package let assetPackIdentifier: String
    /// Nil when the request does not get the pack.
    package let number: Int?
    package let reason: Reason
    package let sentence: String
  }

  package let track: Track
  package let lane: String?
  package let scope: ManifestScope
  package let manifestURL: String
  /// Of the rollout on the track.
  package let rolloutID: String?
  package let percent: Int?
  /// 0…99; nil without a rollout, or when nothing is known of the client.
  package let bucket: Int?
  /// Whether there is a manifest at all; without one the answer is 404.
  package let isServed: Bool
  /// By identifier.
  package let packs: [Pack]
}

/// What is known of a client.
package enum ClientIdentity: Sendable, Equatable {
  /// The bytes of the field `Packhouse-Client-Key`, or of `clientKey=` in the query.
  case key(String)
  /// An address without brackets and port.
  case address(String)
  case unknown
}

extension PackStore {
  /// Which version of each pack a request for a manifest gets, and why: read from the published manifests themselves.
  ///
  /// - Throws: `notFound` for an unknown lane, `valueRefused` for an address that is not valid.
  package func explain(
    app id: String, track: Track, scope: ManifestScope = .all, lane: String? = nil, client: ClientIdentity = .unknown
  ) throws(StoreFailure) -> Explanation {
    try catalog.read { (connection) throws(StoreFailure) in
      let app = try connection.app(id)
      let row = try lane.map { (name) throws(StoreFailure) in
        guard let row = try connection.lanes(app: id, track: track).first(where: { $0.name == name }) else {
          throw .notFound(kind: .lane, name: "\(name) on \(track.rawValue)")
        }
        return row
      }
      let rollout = try connection.runningRollout(app: id, track: track)
      let bucket =
        try rollout.map { (rollout) throws(StoreFailure) in try Self.bucket(client, salt: rollout.salt) } ?? nil
      let isReached = bucket.map { $0 < rollout?.percent ?? 0 } ?? (rollout?.percent == 100)
      let lists = try PublishedListings(connection, app: id, track: track, lane: lane)
      let listing = lists.listing(scope, reached: isReached)
      let pins = try row.map { (row) throws(StoreFailure) in try connection.pins(lane: row.id) } ?? []
      let cause = Cause(
        pins: Set(pins.map(\.assetPackIdentifier)), rollout: rollout, bucket: bucket, isReached: isReached, scope: scope
      )
      let everything = lists.listing(.all, reached: isReached) ?? [:]
      let names = Set(everything.keys).union((listing ?? [:]).keys).sorted()
      return Explanation(
        track: track, lane: lane, scope: scope,
        manifestURL: lane.map { manifestURL(bundleID: app.bundleID, track: track, lane: $0) }
          ?? manifestURL(bundleID: app.bundleID, track: track),
        rolloutID: rollout?.id, percent: rollout?.percent, bucket: bucket, isServed: listing != nil,
        packs: names.map { cause.explain($0, number: listing?[$0]) })
    }
  }

  private static func bucket(_ client: ClientIdentity, salt: UInt64) throws(StoreFailure) -> Int? {
    switch client {
    case .unknown: return nil
    case .key(let text):
      let bytes = Array(text.utf8)
      return bytes.withUnsafeBytes { RolloutBucket.bucket(ofKey: $0, salt: salt) }
    case .address(let text):
      guard let bucket = RolloutBucket.bucket(ofAddress: text, salt: salt) else {
        throw .valueRefused(field: "address", value: text, expected: "an IPv4 or IPv6 address")
      }
      return bucket
    }
  }
}

/// The listings of one track and lane.
private struct PublishedListings {
  private var current: [ManifestScope: [String: Int]] = [:]
  private var new: [ManifestScope: [String: Int]] = [:]

  init(_ connection: CatalogConnection, app: String, track: Track, lane: String?) throws(StoreFailure) {
    for (key, head) in try connection.manifestHeads(app: app, track: track) where key.variant.lane == lane {
      if key.variant.side == .new { new[key.scope] = head.listing } else { current[key.scope] = head.listing }
    }
  }

  func listing(_ scope: ManifestScope, reached: Bool) -> [String: Int]? {
    reached ? new[scope] ?? current[scope] : current[scope]
  }
}

/// Why a pack has its version.
private struct Cause {
  let pins: Set<String>
  let rollout: RolloutRecord?
  let bucket: Int?
  let isReached: Bool
  let scope: ManifestScope

  func explain(_ pack: String, number: Int?) -> Explanation.Pack {
    func result(_ reason: Explanation.Reason, _ sentence: String) -> Explanation.Pack {
      Explanation.Pack(assetPackIdentifier: pack, number: number, reason: reason, sentence: sentence)
    }
    guard let number else {
      return result(.otherPlatform, "The manifest for \(scope.name) does not list \(pack): its version is not for it.")
    }
    if pins.contains(pack) { return result(.lane, "The lane keeps \(pack) at version \(number).") }
    guard let rollout, rollout.packs.contains(where: { $0.assetPackIdentifier == pack }) else {
      return result(.live, "Version \(number) is live on the track.")
    }
    let place = bucket.map { "The client is in bucket \($0) of 100" } ?? "Nothing is known of the client"
    return isReached
      ? result(.rolloutNew, "\(place), and the rollout has reached \(rollout.percent) percent: version \(number).")
      : result(
        .rolloutPrevious, "\(place), and the rollout has reached only \(rollout.percent) percent: version \(number).")
  }
}
