import Foundation

/// A refusal table names every case: with a `default`, a case that is added later would be told as something else.
///
/// A refusal table is each `switch` in a file whose name has one of ``names`` in it. A `default` is needed, and
/// allowed, where the cases are no names but numbers or texts.
enum RefusalTableRule {
  static let names = ["Failure", "Fault", "Refusal", "ErrorCode", "ExitCode"]

  static func isTable(_ path: String) -> Bool {
    let name = (path as NSString).lastPathComponent
    return name.hasSuffix(".swift") && names.contains { name.contains($0) }
  }

  static func violations(in file: ProjectTree.File) -> [String] {
    guard isTable(file.path) else { return [] }
    struct Switch {
      let depth: Int
      var hasNames = false
      var hasOthers = false
      var defaults: [Int] = []
    }
    var open: [Switch] = []
    var depth = 0
    var violations: [String] = []
    for (index, line) in file.code.enumerated() {
      let text = line.trimmingCharacters(in: .whitespaces)
      if var last = open.popLast() {
        if depth == last.depth + 1 {
          if text.hasPrefix("case ") {
            if text.hasPrefix("case .") || text.hasPrefix("case let .") {
              last.hasNames = true
            } else if text.hasPrefix("case _") {
              last.defaults.append(index)
            } else {
              last.hasOthers = true
            }
          }
          if text.hasPrefix("default") { last.defaults.append(index) }
        }
        open.append(last)
      }
      if text.contains("switch "), text.hasSuffix("{") { open.append(Switch(depth: depth)) }
      for character in line {
        if character == "{" { depth += 1 }
        guard character == "}" else { continue }
        depth -= 1
        guard let last = open.last, last.depth == depth else { continue }
        open.removeLast()
        guard last.hasNames, !last.hasOthers else { continue }
        violations += last.defaults.map {
          "\(file.place($0)): a refusal table has no default; name each case, so that a new one is not forgotten"
        }
      }
    }
    return violations
  }
}
