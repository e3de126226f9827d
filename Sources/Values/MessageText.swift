/// `text` in double quotes for a message: what is invisible is escaped, and it is cut after 60 characters.
package func quoted(_ text: String) -> String {
  var result = "\""
  for (count, scalar) in text.unicodeScalars.enumerated() {
    if count == 60 {
      result += "…"
      break
    }
    appendEscaped(scalar, to: &result)
  }
  return result + "\""
}

/// One scalar in double quotes for a message.
package func quoted(_ scalar: Unicode.Scalar) -> String { quoted(String(Character(scalar))) }

/// `text` for a terminal or a log: what is invisible is escaped, so that a name cannot move the cursor, break the line
/// or hide a part of itself.
package func escaped(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars { appendEscaped(scalar, to: &result) }
  return result
}

/// Appends `scalar`, as `\u{202e}` when it is invisible.
package func appendEscaped(_ scalar: Unicode.Scalar, to text: inout String) {
  if isInvisible(scalar) {
    text += "\\u{\(String(scalar.value, radix: 16))}"
  } else {
    text.unicodeScalars.append(scalar)
  }
}

/// Control characters, line and paragraph separators, the characters that turn the direction of text, and the byte
/// order mark.
package func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0...0x1F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: true
  default: false
  }
}

/// A clause as a sentence: with a full stop, unless it asks a question ("did you mean …?").
package func asSentence(_ clause: some StringProtocol) -> String {
  clause.hasSuffix("?") ? String(clause) : "\(clause)."
}
