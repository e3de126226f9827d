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
  /// The only pack that it is about, the number of its version, the track and the review submission. Nil in lines that
  /// are about something else, and in those from before the log had ids.
  package var packID: String?
  package var versionNumber: Int?
  package var track: String?
  package var submissionID: String?

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

/// Which lines of the audit log are wanted; nil does not narrow.
package struct AuditFilter: Sendable, Equatable {
  /// The app's id.
  package var app: String?
  /// The actor's name.
  package var actor: String?
  /// The action's name, or the noun with a star for all of its actions: `release.move`, `release.*`.
  package var action: String?
  /// The first second, since 1970.
  package var from: Int64?
  /// The last second, since 1970.
  package var to: Int64?

  package init(
    app: String? = nil, actor: String? = nil, action: String? = nil, from: Int64? = nil, to: Int64? = nil
  ) {
    self.app = app
    self.actor = actor
    self.action = action
    self.from = from
    self.to = to
  }

  /// A condition on the table `audit`, and the values of its places. It holds only what is asked for, so that SQLite
  /// can use an index.
  var condition: (sql: String, values: [any SQLBindable]) {
    var terms: [String] = []
    var values: [any SQLBindable] = []
    func add(_ term: String, _ value: any SQLBindable) {
      terms.append(term)
      values.append(value)
    }
    if let app { add("app_id = ?", app) }
    if let actor { add("actor = ?", actor) }
    if let action {
      if action.hasSuffix(".*") {
        // All texts that begin with the noun and its dot: the slash follows the dot in ASCII.
        let noun = String(action.dropLast(2))
        add("action >= ?", noun + ".")
        add("action < ?", noun + "/")
      } else {
        add("action = ?", action)
      }
    }
    if let from { add("at >= ?", from) }
    if let to { add("at <= ?", to) }
    return (terms.isEmpty ? "1" : terms.joined(separator: " AND "), values)
  }
}
