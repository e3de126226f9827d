import JSONText

/// What one check came to: a sentence, and what to do when something is wrong.
package struct Finding: Sendable, Equatable {
  /// How bad it is.
  package enum Level: String, Sendable {
    case ok, warning, error
  }

  /// The check's name, `area.subject`: `plist.allow-list`.
  package let check: String
  package let level: Level
  /// One sentence.
  package let sentence: String
  /// The exact thing to do; nil for `ok`.
  package let fix: String?

  package static func ok(_ check: String, _ sentence: String) -> Finding {
    Finding(check: check, level: .ok, sentence: sentence, fix: nil)
  }

  package static func warning(_ check: String, _ sentence: String, fix: String) -> Finding {
    Finding(check: check, level: .warning, sentence: sentence, fix: fix)
  }

  package static func error(_ check: String, _ sentence: String, fix: String) -> Finding {
    Finding(check: check, level: .error, sentence: sentence, fix: fix)
  }

  /// A line, and below it the fix.
  package var text: String {
    let level = level.rawValue + String(repeating: " ", count: max(1, 9 - level.rawValue.count))
    return "\(level)\(check): \(sentence)\n" + (fix.map { "         Fix: \($0)\n" } ?? "")
  }

  package var json: JSONValue {
    [
      "check": .string(check), "level": .string(level.rawValue), "sentence": .string(sentence),
      "fix": .optional(fix),
    ]
  }
}

/// Everything that was found, in the order of the checks.
package struct CheckupReport: Sendable {
  package private(set) var findings: [Finding]

  package init(_ findings: [Finding] = []) { self.findings = findings }

  package mutating func add(_ more: [Finding]) { findings += more }

  private func count(_ level: Finding.Level) -> Int { findings.count { $0.level == level } }

  /// Of sysexits(3): 0 without an error, 65 when the errors are in a property list or a manifest alone, 78 otherwise.
  package var exitCode: Int32 {
    let areas = Set(findings.filter { $0.level == .error }.map { $0.check.prefix { $0 != "." } })
    if areas.isEmpty { return 0 }
    return areas.isSubset(of: ["plist", "entitlements", "manifest"]) ? 65 : 78
  }

  /// The findings as text, with a last line that counts them.
  package var text: String {
    let (errors, warnings) = (count(.error), count(.warning))
    func counted(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }
    return findings.map(\.text).joined()
      + "\(counted(findings.count, "check")): \(counted(errors, "error")), \(counted(warnings, "warning")).\n"
  }

  package var json: JSONValue {
    [
      "errors": .integer(count(.error)), "warnings": .integer(count(.warning)),
      "checks": .array(findings.map(\.json)),
    ]
  }
}
