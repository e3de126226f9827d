import JSONText

extension ConfigurationTable {
  /// docs/configuration.md.
  package func reference() -> String {
    var text = """
      # Configuration

      One file, JSON5: comments, trailing commas and keys without quotes are accepted. Every fault is reported at once,
      with its line and key path; an unknown key is a fault. Sizes are written `"16 KiB"`, `"8 GB"` or as a number of
      bytes, times `"250 ms"`, `"30 s"`, `"5 min"`, `"2 h"`, `"1 d"`. Relative paths begin at the working directory.
      `config/packhouse.json` is an example. This page is printed from the table of keys.

      The last column says what makes a running daemon use a new value: a reload (SIGHUP, `systemctl reload packhouse`)
      or a restart.

      | key | value | default | what it does | takes effect after a |
      |---|---|---|---|---|

      """
    for key in keys {
      let cells = ["`\(key.keyPath)`", key.expectation, key.absence.cell, key.summary, key.change.rawValue]
      text += "| " + cells.joined(separator: " | ") + " |\n"
    }
    var sections: [String] = []
    for case .requiredIn(let section) in keys.map(\.absence) where !sections.contains(section) {
      sections.append(section)
    }
    for section in sections { text += "\n`\(section)` may be left out as a whole, its required key too.\n" }
    return text
  }
}

extension ConfigurationKey.Absence {
  fileprivate var cell: String {
    switch self {
    case .value(let value): "`\(String(decoding: value.serialize(), as: UTF8.self))`"
    case .nothing(let text): text
    case .required, .requiredIn: "**required**"
    }
  }
}
