import AssetPacks
import HTTPCore
import PackStore

/// The manifests of one track or of one of its lanes: one for all platforms together, and one for each; while a rollout
/// runs, another set for the clients it has reached.
final class ManifestSet: Sendable {
  private struct Documents: Sendable {
    let all: ManifestDocument
    /// Nil for a platform that no pack was ever released for.
    let byPlatform: [ManifestDocument?]
  }

  private let current: Documents
  /// Nil where the rollout makes no difference.
  private let new: Documents?
  private let rollout: LiveState.App.Rollout?

  /// Takes the records of `lane`. Nil when there is no manifest for every platform together.
  init?(
    _ records: [ManifestRecord], lane: String?, rollout: LiveState.App.Rollout?, documents: inout ManifestDocuments
  ) {
    let own = records.filter { $0.variant.lane == lane && $0.variant.side == .current }
    let reached = records.filter { $0.variant.lane == lane && $0.variant.side == .new }
    let isPersonal = rollout != nil && !reached.isEmpty
    func find(_ scope: ManifestScope, in records: [ManifestRecord]) -> ManifestRecord? {
      records.first { $0.scope == scope }
    }
    guard let everything = find(.all, in: own) else { return nil }
    current = Documents(
      all: documents.document(everything, isPersonal: isPersonal),
      byPlatform: Platform.allCases.map { platform in
        find(.platform(platform), in: own).map { documents.document($0, isPersonal: isPersonal) }
      })
    self.rollout = isPersonal ? rollout : nil
    guard isPersonal else {
      new = nil
      return
    }
    // What the rollout does not change is stored once.
    new = Documents(
      all: documents.document(find(.all, in: reached) ?? everything, isPersonal: true),
      byPlatform: Platform.allCases.map { platform in
        (find(.platform(platform), in: reached) ?? find(.platform(platform), in: own))
          .map { documents.document($0, isPersonal: true) }
      })
  }

  /// The document that a request gets: its query may name a platform, its fields may allow gzip, and a rollout may have
  /// reached its client. Nil when there is no pack for the platform: an empty manifest would make devices delete what
  /// they have.
  func representation(for request: RequestView) -> Representation? {
    if let new, let rollout, RolloutChoice.isReached(request, rollout) { return representation(for: request, in: new) }
    return representation(for: request, in: current)
  }

  private func representation(for request: RequestView, in documents: Documents) -> Representation? {
    var document = documents.all
    if request.query.count > 0, let platform = PlatformQuery.platform(in: request.query) {
      guard platform.index < documents.byPlatform.count, let own = documents.byPlatform[platform.index] else {
        return nil
      }
      document = own
    }
    if let gzipped = document.gzipped, let accepted = request.first(.acceptEncoding),
      AcceptEncoding.allowsGzip(accepted)
    {
      return gzipped
    }
    return document.plain
  }
}

extension Platform {
  /// The place in `allCases`.
  fileprivate var index: Int {
    switch self {
    case .iOS: 0
    case .macOS: 1
    case .tvOS: 2
    case .visionOS: 3
    }
  }
}

/// Which side of a rollout a request is on. The same client is always on the same side, until the percentage is raised.
enum RolloutChoice {
  /// By the first of these that the request has: the field `Packhouse-Client-Key`, `clientKey=` in the query, the
  /// address. Keys count as they are sent.
  static func isReached(_ request: RequestView, _ rollout: LiveState.App.Rollout) -> Bool {
    bucket(request, salt: rollout.salt) < rollout.percent
  }

  private static func bucket(_ request: RequestView, salt: UInt64) -> Int {
    if let key = request.first(.clientKey), key.count > 0 { return RolloutBucket.bucket(ofKey: key, salt: salt) }
    if request.query.count > 0, let key = TrackQuery.clientKey(in: request.query) {
      return RolloutBucket.bucket(ofKey: key, salt: salt)
    }
    return RolloutBucket.bucket(ofAddress: request.client.high, request.client.low, salt: salt)
  }
}
