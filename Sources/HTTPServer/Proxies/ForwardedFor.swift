import EventLoop

/// The field X-Forwarded-For: every proxy appends the address it got the request from, so only what trusted proxies
/// have written can be believed.
package enum ForwardedFor {
  /// How many members are checked, from the end.
  private static let longest = 32

  /// The last address that is not a trusted proxy's; nil when the members that can be trusted end before there is one.
  ///
  /// - Parameter fields: the values of all such fields in the order of the request.
  package static func client(_ fields: [[UInt8]], trusted: [AddressRange]) -> IPAddress? {
    var looked = 0
    for field in fields.reversed() {
      for member in field.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).reversed() {
        looked += 1
        guard looked <= longest, let address = address(member) else { return nil }
        if !trusted.contains(address) { return address }
      }
    }
    return nil
  }

  /// `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1` or `[2001:db8::1]:4711`.
  private static func address(_ member: ArraySlice<UInt8>) -> IPAddress? {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    let trimmed = member.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
    guard trimmed.count <= 64 else { return nil }
    var text = Substring(String(decoding: Array(trimmed), as: UTF8.self))
    if text.first == "[" {
      guard let end = text.firstIndex(of: "]") else { return nil }
      let rest = text[text.index(after: end)...]
      guard rest.isEmpty || rest.first == ":" && UInt16(rest.dropFirst()) != nil else { return nil }
      text = text[text.index(after: text.startIndex)..<end]
    } else if let colon = text.firstIndex(of: ":"), text.contains("."), !text[text.index(after: colon)...].contains(":")
    {
      guard UInt16(text[text.index(after: colon)...]) != nil else { return nil }
      text = text[..<colon]
    }
    return IPAddress(String(text))
  }
}
