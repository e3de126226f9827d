import HTTPCore
import JSONText
import PackStore
import Values

/// What a webhook can tell of. The first four are App Store Connect's.
package enum WebhookEventType: String, CaseIterable, Sendable {
  case versionStateUpdated = "BACKGROUND_ASSET_VERSION_STATE_UPDATED"
  case internalReleaseCreated = "BACKGROUND_ASSET_VERSION_INTERNAL_BETA_RELEASE_CREATED"
  case externalReleaseStateUpdated = "BACKGROUND_ASSET_VERSION_EXTERNAL_BETA_RELEASE_STATE_UPDATED"
  case appStoreReleaseStateUpdated = "BACKGROUND_ASSET_VERSION_APP_STORE_RELEASE_STATE_UPDATED"
  /// A newer version took the place of one on a track.
  case releaseSuperseded = "BACKGROUND_ASSET_VERSION_RELEASE_SUPERSEDED"
  case packArchived = "BACKGROUND_ASSET_ARCHIVED"
  case packRestored = "BACKGROUND_ASSET_RESTORED"
  case rolloutChanged = "ROLLOUT_CHANGED"
  case quotaThresholdReached = "QUOTA_THRESHOLD_REACHED"
  /// A version or a release has not left a state in time.
  case stateStuck = "STATE_STUCK"
  /// Somebody wants to see whether the receiver answers. Goes to every webhook that is pinged.
  case ping = "WEBHOOK_PING"

  /// Those that a webhook can be made for.
  package static let selectable = allCases.filter { $0 != .ping }

  /// The `type` of the payload: `backgroundAssetVersionStateUpdated`.
  package var payloadType: String {
    let words = rawValue.split(separator: "_").map { $0.lowercased() }
    return words.enumerated().map {
      $0.offset == 0 ? $0.element : $0.element.prefix(1).uppercased() + $0.element.dropFirst()
    }
    .joined()
  }
}

/// Turns lines of the audit log into events, and events into the text that is sent.
package enum WebhookPayload {
  /// The events of one line; most lines have none, a superseded release has two.
  package static func events(of source: WebhookSource) -> [WebhookEventType] {
    let record = source.record
    switch record.action {
    case "version.move": return [.versionStateUpdated]
    case "release.create": return source.track == "internal" ? [.internalReleaseCreated] : []
    case "release.move":
      var events: [WebhookEventType] = []
      if source.track == "beta" { events.append(.externalReleaseStateUpdated) }
      if source.track == "production" { events.append(.appStoreReleaseStateUpdated) }
      if record.after == "SUPERSEDED" { events.append(.releaseSuperseded) }
      return events
    case "pack.archive": return [.packArchived]
    case "pack.restore": return [.packRestored]
    case "rollout.create", "rollout.change": return [.rolloutChanged]
    case "quota.threshold": return [.quotaThresholdReached]
    case "state.stuck": return [.stateStuck]
    default: return []
    }
  }

  /// The body that tells of one event. `id` is the delivery's: it stays the same when the event is sent again.
  package static func body(_ event: WebhookEventType, id: String, source: WebhookSource) -> String {
    let record = source.record
    var attributes = JSONObject([
      ("eventType", .string(event.rawValue)), ("timestamp", .string(ISO8601.text(unixSeconds: record.at))),
      ("oldValue", .optional(record.before)), ("newValue", .optional(record.after)),
      ("subject", .string(record.subject)), ("bundleId", .optional(source.bundleID)),
      ("actor", .string(record.actor.name)), ("reason", .optional(record.reason)),
    ])
    if let track = source.track { attributes.set("track", .string(track)) }
    var relationships = JSONObject()
    if let (type, id) = instance(event, source) { relationships.set("instance", reference(type, id)) }
    if let id = source.versionID {
      relationships.set("backgroundAssetVersion", reference("backgroundAssetVersions", id))
    }
    if let id = source.packID { relationships.set("backgroundAsset", reference("backgroundAssets", id)) }
    if source.packs.count > 1 {
      let versions = source.packs.compactMap(\.versionID)
      relationships.set("backgroundAssetVersions", references("backgroundAssetVersions", versions))
      relationships.set("backgroundAssets", references("backgroundAssets", source.packs.map(\.packID)))
    }
    if let id = record.appID { relationships.set("app", reference("apps", id)) }
    relationships.set("auditEvent", reference("auditEvents", String(record.number)))
    return document(event, id: id, attributes, relationships)
  }

  /// The body of a ping.
  package static func ping(id: String, webhook: String, at unixSeconds: Int64) -> String {
    document(
      .ping, id: id,
      JSONObject([
        ("eventType", .string(WebhookEventType.ping.rawValue)),
        ("timestamp", .string(ISO8601.text(unixSeconds: unixSeconds))),
      ]), JSONObject([("instance", reference("webhooks", webhook))]))
  }

  /// What the event happened to, as App Store Connect names it.
  private static func instance(_ event: WebhookEventType, _ source: WebhookSource) -> (type: String, id: String)? {
    switch event {
    case .internalReleaseCreated, .externalReleaseStateUpdated, .appStoreReleaseStateUpdated, .releaseSuperseded:
      guard let id = source.releaseID else { return nil }
      switch source.track {
      case "internal": return ("backgroundAssetVersionInternalBetaReleases", id)
      case "beta": return ("backgroundAssetVersionExternalBetaReleases", id)
      default: return ("backgroundAssetVersionAppStoreReleases", id)
      }
    case .versionStateUpdated: return source.versionID.map { ("backgroundAssetVersions", $0) }
    case .packArchived, .packRestored: return source.packID.map { ("backgroundAssets", $0) }
    case .stateStuck:
      return source.versionID.map { ("backgroundAssetVersions", $0) }
        ?? source.packID.map { ("backgroundAssets", $0) }
    case .rolloutChanged, .quotaThresholdReached: return source.record.appID.map { ("apps", $0) }
    case .ping: return nil
    }
  }

  private static func reference(_ type: String, _ id: String) -> JSONValue {
    ["data": ["type": .string(type), "id": .string(id)], "links": ["self": .string("/v1/\(type)/\(id)")]]
  }

  private static func references(_ type: String, _ ids: [String]) -> JSONValue {
    ["data": .array(ids.map { ["type": .string(type), "id": .string($0)] })]
  }

  private static func document(
    _ event: WebhookEventType, id: String, _ attributes: JSONObject, _ relationships: JSONObject
  ) -> String {
    let document: JSONValue = [
      "data": [
        "type": .string(event.payloadType), "id": .string(id), "version": 1, "attributes": .object(attributes),
        "relationships": .object(relationships),
      ]
    ]
    return document.text()
  }
}
