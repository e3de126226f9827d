/// Decides when a certificate's end is worth a line in the log: once each at 30, 14, 7 and 1 day, and when it is there.
struct ExpiryWarnings {
  private static let days: [Int64] = [0, 1, 7, 14, 30]

  /// By file: the end that was warned of, and the stage.
  private var told: [String: (notAfter: Int64, stage: Int64)] = [:]

  /// The whole days left, rounded up, when a warning is due now; nil when it is not.
  mutating func due(file: String, notAfter: Int64, now: Int64) -> Int64? {
    let left = notAfter - now
    guard let stage = Self.days.first(where: { left <= $0 * 86_400 }) else {
      told[file] = nil
      return nil
    }
    if let last = told[file], last.notAfter == notAfter, last.stage <= stage { return nil }
    told[file] = (notAfter, stage)
    return left <= 0 ? 0 : (left + 86_399) / 86_400
  }
}
