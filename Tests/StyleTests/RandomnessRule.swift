import Foundation

/// What a test or a measurement did can be done again: random data comes from a generator with a seed that stands
/// there. Names of temporary files may be random.
enum RandomnessRule {
  private static let inSwift: [(pattern: String, what: String)] = [
    (#"\.random\((?!.*using:)"#, "random without a generator"),
    (#"\.(?:shuffled|shuffle|randomElement)\((?!.*using:)"#, "random without a generator"),
    (#"SystemRandomNumberGenerator"#, "the system's generator"),
    (#"arc4random|(?<![\w.])(?:rand|random)\(\)"#, "C's generator"),
    (#"getrandom\(|RAND_bytes|secureRandomBytes\("#, "the system's random bytes"),
  ]
  private static let inPython: [(pattern: String, what: String)] = [
    (#"random\.Random\(\s*\)|SystemRandom"#, "a generator without a seed"),
    (#"os\.urandom|(?<!\w)secrets\."#, "the system's random bytes"),
  ]
  private static let pythonModule =
    #"(?<![\w.])random\.(?:random|randint|randrange|randbytes|choice|choices|sample|shuffle|uniform|getrandbits)\("#

  static func violations(in file: ProjectTree.File) throws -> [String] {
    guard
      file.lines.contains(where: { line in
        ["andom", "RANDOM", "RAND_", "rand()", "shuf", "secrets."].contains { line.contains($0) }
      })
    else { return [] }
    let isSwift = file.path.hasSuffix(".swift")
    let isPython = file.path.hasSuffix(".py") || file.lines.first?.contains("python") == true
    let isShell = file.path.hasSuffix(".sh") || file.lines.first?.contains("bash") == true
    var rules =
      isSwift
      ? inSwift
      : isPython ? inPython : isShell ? [(#"\$\{?RANDOM|shuf(?!.*--random-source)"#, "a shell's generator")] : []
    if isPython, !file.lines.contains(where: { $0.contains("random.seed(") }) {
      rules.append((pythonModule, "random without a seed"))
    }
    // Reading the device is the same in each language, and the name of it stands in a string.
    let device = try NSRegularExpression(pattern: "/dev/u?random")
    let patterns = try rules.map { (try NSRegularExpression(pattern: $0.pattern), $0.what) }
    let code = isSwift ? file.code : file.lines
    return file.lines.indices.compactMap { index in
      func has(_ pattern: NSRegularExpression, _ line: String) -> Bool {
        pattern.firstMatch(in: line, range: NSRange(location: 0, length: (line as NSString).length)) != nil
      }
      let found = patterns.first { has($0.0, code[index]) }?.1
      let isComment = file.lines[index].drop { $0 == " " }.hasPrefix(isSwift ? "//" : "#")
      guard !isComment, let what = found ?? (has(device, file.lines[index]) ? "the system's random bytes" : nil) else {
        return nil
      }
      return "\(file.place(index)): \(what) makes another test each time; use a generator with a seed"
    }
  }
}
