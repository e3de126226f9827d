/// `bytes` of a path, made harmless for terminals, logs and pages: what is not UTF-8 as `\u{fffd}`, control and text
/// direction characters as `\u{202e}`, a backslash as `\\`. Longer paths end in `…` after `limit` characters.
package func escapedPath(_ bytes: UnsafeRawBufferPointer, limit: Int = 300) -> String {
  var escaped = ""
  var count = 0
  var decoder = UTF8.ForwardParser()
  var iterator = bytes.makeIterator()
  while true {
    guard count < limit else { return escaped + "…" }
    count += 1
    switch decoder.parseScalar(from: &iterator) {
    case .valid(let encoded):
      let scalar = UTF8.decode(encoded)
      if scalar == "\\" {
        escaped += "\\\\"
      } else if isInvisible(scalar) {
        escaped += "\\u{" + String(scalar.value, radix: 16) + "}"
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    case .error:
      escaped += "\\u{fffd}"
    case .emptyInput:
      return escaped.isEmpty ? "(root)" : escaped
    }
  }
}

/// Control characters, line and paragraph separators, and the characters that turn the direction of text.
func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0...0x1f, 0x7f...0x9f, 0x061c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a...0x202e, 0x2066...0x2069, 0xfeff: true
  default: false
  }
}
