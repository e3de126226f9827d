/// One verb of the command line: what it is called, what it takes, what it does.
struct Verb: Sendable {
  /// An option, `--name` or `--name VALUE`.
  struct Option: Sendable {
    let name: String
    /// What stands for the value in the help; nil for a flag.
    let value: String?
    let help: String
    /// May be given several times.
    let repeats: Bool

    static func flag(_ name: String, _ help: String) -> Option {
      Option(name: name, value: nil, help: help, repeats: false)
    }

    static func value(_ name: String, _ value: String, _ help: String, repeats: Bool = false) -> Option {
      Option(name: name, value: value, help: help, repeats: repeats)
    }
  }

  /// The words that name it: `["pack", "inspect"]`.
  let words: [String]
  let summary: String
  /// The positional arguments as the help shows them: `FILE.aar…`.
  var positionals = ""
  /// How many positional arguments there may be.
  var count = 0...0
  var options: [Option] = []
  /// More about it, below the options.
  var details = ""
  let run: @Sendable (Arguments) throws(CommandFailure) -> Void

  var name: String { words.joined(separator: " ") }

  /// What `--help` prints.
  var help: String {
    var text = "\(summary)\n\nUsage: packhouse \(name)"
    if !positionals.isEmpty { text += " \(positionals)" }
    if !options.isEmpty { text += " [options]" }
    text += "\n\n"
    let rows = (options + [.flag("help", "Show this.")]).map { option in
      (
        left: "--\(option.name)" + (option.value.map { " \($0)" } ?? "") + (option.repeats ? "…" : ""),
        right: option.help
      )
    }
    let width = (rows.map(\.left.count).max() ?? 0) + 2
    for row in rows {
      text += "  \(row.left)\(String(repeating: " ", count: width - row.left.count))\(row.right)\n"
    }
    if !details.isEmpty { text += "\n\(details)\n" }
    return text
  }
}
