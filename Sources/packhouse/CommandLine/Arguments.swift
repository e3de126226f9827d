import JSONText
import Values

/// The arguments of a verb, checked against what it takes.
struct Arguments: Sendable {
  private var values: [String: [String]] = [:]
  private var flags: Set<String> = []
  private(set) var positionals: [String] = []

  /// Reads `words`, what stands behind the verb. `--` ends the options; `--x=V` is `--x V`.
  init(_ words: [String], for verb: Verb) throws(CommandFailure) {
    var index = 0
    var optionsEnded = false
    while index < words.count {
      let word = words[index]
      index += 1
      if optionsEnded || word == "-" || !word.hasPrefix("-") {
        positionals.append(word)
      } else if word == "--" {
        optionsEnded = true
      } else {
        try read(word, words, &index, verb)
      }
    }
    guard verb.count.contains(positionals.count) else {
      let expected = verb.positionals.isEmpty ? "no arguments" : verb.positionals
      let found = positionals.isEmpty ? "nothing" : positionals.joined(separator: " ")
      throw CommandFailure(
        "packhouse \(verb.name) takes \(expected), but got \(found); see packhouse \(verb.name) --help.", .usage)
    }
  }

  private mutating func read(_ word: String, _ words: [String], _ index: inout Int, _ verb: Verb) throws(CommandFailure)
  {
    let pieces = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    // Apple's packer has the short -o; everything else is long.
    let name = pieces[0] == "-o" ? "output" : String(pieces[0].drop { $0 == "-" })
    guard let option = verb.options.first(where: { $0.name == name }) else {
      let near = nearest(to: name, in: verb.options.map(\.name)).map { "; did you mean --\($0)?" } ?? "."
      throw CommandFailure("packhouse \(verb.name) has no option \(pieces[0])\(near)", .usage)
    }
    guard let placeholder = option.value else {
      guard pieces.count == 1 else { throw CommandFailure("--\(name) takes no value.", .usage) }
      flags.insert(name)
      return
    }
    let value: String
    if pieces.count == 2 {
      value = String(pieces[1])
    } else if index < words.count {
      value = words[index]
      index += 1
    } else {
      throw CommandFailure("--\(name) needs a value: --\(name) \(placeholder).", .usage)
    }
    guard option.repeats || values[name] == nil else {
      throw CommandFailure("--\(name) may be given only once.", .usage)
    }
    values[name, default: []].append(value)
  }

  /// Whether a flag was given.
  func has(_ flag: String) -> Bool { flags.contains(flag) }

  /// The value of an option; nil when it was not given.
  func value(_ name: String) -> String? { values[name]?.first }

  /// All values of an option that may be repeated.
  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// The value of an option that must be there.
  func required(_ name: String) throws(CommandFailure) -> String {
    guard let value = value(name) else { throw CommandFailure("--\(name) is missing; see --help.", .usage) }
    return value
  }
}
