/// A text in double quotes for a message: control characters escaped, cut after 60 characters.
package func quoted(_ text: String) -> String {
  var result = "\""
  for (count, scalar) in text.unicodeScalars.enumerated() {
    if count == 60 {
      result += "…"
      break
    }
    let isBidirectionalControl = (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || isBidirectionalControl {
      result += "\\u{\(String(scalar.value, radix: 16))}"
    } else {
      result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}
