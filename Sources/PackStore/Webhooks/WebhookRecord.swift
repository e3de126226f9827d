/// Where events are sent to.
package struct WebhookRecord: Sendable, Equatable {
  package let id: String
  /// The only app that it tells of; nil for all.
  package let appID: String?
  package let name: String
  package let url: String
  /// What signatures are made with.
  package let secret: String
  /// The names of the events that are wanted.
  package let events: [String]
  package let isEnabled: Bool
  /// Why the daemon switched it off; nil when it did not.
  package let disabledReason: String?
  /// The last line of the audit log that has become deliveries.
  package let cursor: Int64
  /// Seconds since 1970.
  package let created: Int64
}

/// How far a delivery has come.
package enum WebhookDeliveryState: String, Sendable, CaseIterable {
  case pending = "PENDING"
  case succeeded = "SUCCEEDED"
  case failed = "FAILED"
}

/// One event on its way to one webhook.
package struct WebhookDeliveryRecord: Sendable, Equatable {
  /// Orders the deliveries of a webhook.
  package let number: Int64
  package let id: String
  package let webhookID: String
  package let event: String
  /// The JSON text, the same for every attempt.
  package let body: String
  package let state: WebhookDeliveryState
  /// Whether somebody asked for it to be sent again.
  package let isRedelivery: Bool
  package let attempts: Int
  // Seconds since 1970.
  package let created: Int64
  /// The first attempt since the webhook was switched on.
  package let firstAttempt: Int64?
  package let lastAttempt: Int64?
  package let nextAttempt: Int64
  /// The status of the last answer; nil when there was none.
  package let responseStatus: Int?
  /// Why the last attempt failed.
  package let error: String?
}

/// A delivery that is to be made.
package struct NewWebhookDelivery: Sendable, Equatable {
  package let id: String
  package let event: String
  package let body: String

  package init(id: String, event: String, body: String) {
    self.id = id
    self.event = event
    self.body = body
  }
}

/// A line of the audit log as webhooks see it, with the ids that its subject stands for.
package struct WebhookSource: Sendable, Equatable {
  /// A pack that the line is about, and which of its versions.
  package struct Pack: Sendable, Equatable {
    package let packID: String
    package let versionID: String?

    package init(packID: String, versionID: String?) {
      self.packID = packID
      self.versionID = versionID
    }
  }

  package let record: AuditRecord
  /// Of the app that it is about.
  package let bundleID: String?
  /// Several for a rollout of several packs.
  package let packs: [Pack]
  /// Of the only pack's version on the track.
  package let releaseID: String?
  package let track: String?

  package init(record: AuditRecord, bundleID: String?, packs: [Pack], releaseID: String?, track: String?) {
    self.record = record
    self.bundleID = bundleID
    self.packs = packs
    self.releaseID = releaseID
    self.track = track
  }

  /// The only pack; nil when there are several.
  package var packID: String? { packs.count == 1 ? packs[0].packID : nil }
  package var versionID: String? { packs.count == 1 ? packs[0].versionID : nil }
}
