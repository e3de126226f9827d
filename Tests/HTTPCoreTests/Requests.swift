import Testing

@testable import HTTPCore

/// A parse outcome as plain values, so that tables can compare it.
struct Parsed: Equatable, CustomStringConvertible {
  var head: RequestHead?
  var fault: RequestFault?
  var bytes: [UInt8] = []
  var fields: [String] = []

  var isIncomplete: Bool { head == nil && fault == nil }

  func text(_ slice: ByteSlice?) -> String? {
    guard let slice, !slice.isAbsent else { return nil }
    return String(decoding: bytes[Int(slice.offset)..<Int(slice.offset + slice.count)], as: UTF8.self)
  }

  var description: String {
    if let fault { return "\(fault.status) \(fault.code)" }
    guard let head else { return "needMore" }
    return [
      text(head.methodName), text(head.path), text(head.query), "1.\(head.minorVersion)", text(head.authority),
      "\(head.framing)", "\(head.keepAlive)", "\(head.expectsContinue)", "\(head.headLength)",
      fields.joined(separator: "|"),
    ].map { $0 ?? "-" }.joined(separator: " ")
  }

  static func == (left: Parsed, right: Parsed) -> Bool { left.description == right.description }
}

/// Parses `bytes`, handing them over in growing prefixes that end at each of `ends` and at the end.
func parse(_ bytes: [UInt8], limits: RequestLimits = RequestLimits(), ends: [Int] = []) -> Parsed {
  let slots = UnsafeMutableBufferPointer<FieldSlot>.allocate(capacity: limits.fields)
  defer { slots.deallocate() }
  var parser = RequestParser(limits: limits)
  var result = Parsed()
  for end in ends + [bytes.count] {
    // Each prefix is a copy of its own, so that reading beyond it would be a fault that tools can see.
    let prefix = Array(bytes[..<end])
    prefix.withUnsafeBytes { buffer in
      switch parser.parse(buffer, fields: slots) {
      case .needMore: break
      case .refused(let fault): result.fault = fault
      case .complete(let head):
        result.head = head
        result.bytes = prefix
        result.fields = (0..<head.fieldCount).map {
          "\(result.text(slots[$0].name) ?? "-")=\(result.text(slots[$0].value) ?? "-"):\(slots[$0].known)"
        }
      }
    }
    if !result.isIncomplete { break }
  }
  return result
}

func parse(_ text: String, limits: RequestLimits = RequestLimits()) -> Parsed {
  parse(Array(text.utf8), limits: limits)
}

/// The same pseudorandom numbers in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
