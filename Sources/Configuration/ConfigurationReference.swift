/// Prints docs/configuration.md from the key table.
package enum ConfigurationReference {
  package static func markdown() -> String {
    var text = """
      # Configuration

      One file, JSON5: comments, trailing commas and keys without quotes are accepted. Every fault is reported at once,
      with its line and key path; an unknown key is a fault. Sizes are written `"16 KiB"`, `"8 GB"` or as a number of
      bytes, times `"250 ms"`, `"30 s"`, `"5 min"`, `"2 h"`, `"1 d"`. Relative paths begin at the working directory. An
      example with all keys is `config/packhouse.json`. This file is printed from the table of keys.

      | key | value | default | what it does |
      |---|---|---|---|

      """
    for key in ConfigurationKey.all {
      text += "| `\(key.keyPath)` | \(key.kind.expectation) | \(defaultText(key)) | \(key.summary) |\n"
    }
    text += "\n`developmentOverride` may be left out as a whole, its required key too; then `/manifest` answers 404.\n"
    return text
  }

  private static func defaultText(_ key: ConfigurationKey) -> String {
    guard let text = key.defaultText else { return "**required**" }
    return text.hasPrefix("the ") ? text : "`\(text)`"
  }
}
