import AssetPacks

/// What can be bound to a place of a statement.
package protocol SQLBindable: Sendable {
  /// What SQLite gets.
  var sqlValue: SQLValue { get }
}

/// What SQLite knows.
package enum SQLValue: Sendable, Equatable, SQLBindable {
  case null
  case integer(Int64)
  case text(String)
  case bytes([UInt8])

  package var sqlValue: SQLValue { self }
}

extension Int64: SQLBindable {
  package var sqlValue: SQLValue { .integer(self) }
}

extension Int: SQLBindable {
  package var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Bool: SQLBindable {
  package var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension String: SQLBindable {
  package var sqlValue: SQLValue { .text(self) }
}

extension [UInt8]: SQLBindable {
  package var sqlValue: SQLValue { .bytes(self) }
}

/// Nil is NULL.
extension Optional: SQLBindable where Wrapped: SQLBindable {
  package var sqlValue: SQLValue { self?.sqlValue ?? .null }
}

/// An enum is stored as its raw value.
extension SQLBindable where Self: RawRepresentable<String> {
  package var sqlValue: SQLValue { .text(rawValue) }
}

extension Track: SQLBindable {}
extension ReviewPolicy: SQLBindable {}
extension VersionState: SQLBindable {}
extension UploadFileState: SQLBindable {}
extension ReviewSubmissionState: SQLBindable {}
extension ReviewItemState: SQLBindable {}
extension RolloutState: SQLBindable {}
extension Role: SQLBindable {}
extension QuotaPreset: SQLBindable {}
extension Platform: SQLBindable {}
extension ReviewVerdict: SQLBindable {}
extension VersionMessage.Level: SQLBindable {}
extension ManifestVariant.Side: SQLBindable {}
extension WebhookDeliveryState: SQLBindable {}
extension OverdueState.Kind: SQLBindable {}
