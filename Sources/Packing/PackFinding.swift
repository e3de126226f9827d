/// Something to say about a pack, under a stable code.
package struct PackFinding: Equatable, Sendable {
  package enum Severity: String, Sendable {
    case error, warning
  }

  package let severity: Severity
  /// In UPPER_SNAKE_CASE.
  package let code: String
  package let sentence: String

  package init(_ severity: Severity, _ code: String, _ sentence: String) {
    self.severity = severity
    self.code = code
    self.sentence = sentence
  }
}

extension [PackFinding] {
  package var errors: [PackFinding] { filter { $0.severity == .error } }
  package var warnings: [PackFinding] { filter { $0.severity == .warning } }
}
