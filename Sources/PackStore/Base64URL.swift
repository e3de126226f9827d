/// `bytes` in the URL-safe alphabet of base64 without padding (RFC 4648, section 5).
func base64url(_ bytes: [UInt8]) -> String {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  var text: [UInt8] = []
  var bits: UInt32 = 0
  var count: UInt32 = 0
  for byte in bytes {
    bits = (bits << 8 | UInt32(byte)) & 0xffff
    count += 8
    while count >= 6 {
      count -= 6
      text.append(alphabet[Int(bits >> count & 63)])
    }
  }
  if count > 0 { text.append(alphabet[Int(bits << (6 - count) & 63)]) }
  return String(decoding: text, as: UTF8.self)
}
