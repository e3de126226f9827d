/// A line of the audit log.
package struct AuditRecord: Sendable, Equatable {
  package let number: Int64
  /// Seconds since 1970.
  package let at: Int64
  package let actor: Actor
  /// What was done: `version.create`, `release.move` …
  package let action: String
  package let appID: String?
  /// What it was done to.
  package let subject: String
  package let before: String?
  package let after: String?
  package let reason: String?

  package init(
    number: Int64, at: Int64, actor: Actor, action: String, appID: String?, subject: String, before: String?,
    after: String?, reason: String?
  ) {
    self.number = number
    self.at = at
    self.actor = actor
    self.action = action
    self.appID = appID
    self.subject = subject
    self.before = before
    self.after = after
    self.reason = reason
  }
}
