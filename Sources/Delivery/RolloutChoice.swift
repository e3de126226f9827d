import AssetPacks
import HTTPCore
import PackStore

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
