import Foundation

/// Tests wait for conditions. Between two looks at one they may sleep, for 100 ms at most and for a time that stands
/// there.
enum SleepRule {
  static let longest = 0.1

  /// A call that sleeps, and how many of its unit are a second.
  private static let calls: [(pattern: String, perSecond: Double)] = [
    (#"(?<![\w.])usleep\((.*)"#, 1_000_000), (#"(?<![\w.])sleep\((.*)"#, 1),
    (#"Thread\.sleep\(forTimeInterval:(.*)"#, 1), (#"Task\.sleep\(nanoseconds:(.*)"#, 1_000_000_000),
    (#"(?:Task\.sleep|ClientPause\.wait|\.sleep)\((?:for:)?\s*\.milliseconds\((.*)"#, 1000),
    (#"(?:Task\.sleep|ClientPause\.wait|\.sleep)\((?:for:)?\s*\.seconds\((.*)"#, 1),
    (#"(?:Task\.sleep|ClientPause\.wait|\.sleep)\((?:for:)?\s*\.microseconds\((.*)"#, 1_000_000),
    (#"(?<![\w.])nanosleep\((.*)"#, 1), (#"(?:Thread|Task)\.sleep\(until:(.*)"#, 1),
  ]

  static func violations(in file: ProjectTree.File) throws -> [String] {
    guard file.code.contains(where: { $0.contains("sleep") || $0.contains("ClientPause") }) else { return [] }
    let patterns = try calls.map { (try NSRegularExpression(pattern: $0.pattern), $0.perSecond) }
    return file.code.enumerated().compactMap { index, line in
      for (pattern, perSecond) in patterns {
        let whole = line as NSString
        guard let match = pattern.firstMatch(in: line, range: NSRange(location: 0, length: whole.length)) else {
          continue
        }
        let digits = whole.substring(with: match.range(at: 1)).trimmingCharacters(in: .whitespaces)
          .prefix { $0.isNumber || $0 == "_" || $0 == "." }
        let number = Double(digits.replacingOccurrences(of: "_", with: ""))
        if let number, number / perSecond <= longest { continue }
        let time = number.map { "\($0 / perSecond) s" } ?? "a time that does not stand there"
        return
          "\(file.place(index)): the test sleeps for \(time); wait for a condition, and look every 100 ms or sooner"
      }
      return nil
    }
  }
}
