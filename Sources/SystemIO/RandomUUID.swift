import Values

/// A new random UUID (RFC 9562, version 4) in its usual text form, lower case.
package func randomUUID() throws(SystemFailure) -> String {
  var bytes = try secureRandomBytes(16)
  bytes[6] = bytes[6] & 0x0f | 0x40
  bytes[8] = bytes[8] & 0x3f | 0x80
  let groups = [bytes[0..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10..<16]]
  return groups.map { hexadecimal($0) }.joined(separator: "-")
}
