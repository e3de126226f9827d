// The entry point of libFuzzer. FUZZ_TARGET chooses what is fed: request (the parser, in two pieces and in one),
// ranges (Range and If-Range against small representations), conditions (whole requests against a representation),
// chunks (a chunked body). Properties that must hold are checked; a breach or a trap ends the run.

import Glibc

enum Target: String { case request, ranges, conditions, chunks }

let target = getenv("FUZZ_TARGET").flatMap { Target(rawValue: String(cString: $0)) } ?? .request

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // A copy with exact bounds, so that reading beyond them is seen.
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  switch target {
  case .request: feedRequest(input)
  case .ranges: feedRanges(input)
  case .conditions: feedConditions(input)
  case .chunks: feedChunks(input)
  }
  return 0
}

func require(_ holds: Bool, _ property: StaticString) {
  guard !holds else { return }
  let text = Array("BROKEN: \(property)\n".utf8)
  _ = write(STDERR_FILENO, text, text.count)
  abort()
}

/// How a head is read must not depend on the pieces it comes in.
func feedRequest(_ input: [UInt8]) {
  guard let first = input.first else { return }
  let request = Array(input.dropFirst())
  let limits = RequestLimits(headBytes: 4096, targetBytes: 1024, fields: 20)
  let whole = outcome(request, ends: [], limits)
  let cut = request.isEmpty ? 0 : Int(first) % request.count
  require(whole == outcome(request, ends: [cut], limits), "the outcome depends on where the input was cut")
}

func outcome(_ request: [UInt8], ends: [Int], _ limits: RequestLimits) -> String {
  withUnsafeTemporaryAllocation(of: FieldSlot.self, capacity: limits.fields) { slots in
    var parser = RequestParser(limits: limits)
    for end in ends + [request.count] {
      let piece = Array(request[..<end])
      let text: String? = piece.withUnsafeBytes { bytes in
        switch parser.parse(bytes, fields: slots) {
        case .needMore: return nil
        case .refused(let fault): return "\(fault.status) \(fault.code)"
        case .complete(let head):
          guard let base = bytes.baseAddress, let fields = slots.baseAddress else { return nil }
          return describe(RequestView(base: base, head: head, fields: UnsafePointer(fields)), bytes.count)
        }
      }
      if let text { return text }
    }
    return "more"
  }
}

/// Touches every slice, so that one that leads out of the input is seen.
func describe(_ view: RequestView, _ count: Int) -> String {
  require(view.head.headLength > 0 && view.head.headLength <= count, "a head is longer than its input")
  var text = "\(view.head.headLength) \(view.head.framing) \(view.head.keepAlive)"
  for slice in [view.head.methodName, view.head.path, view.head.query, view.head.authority] {
    text += " " + String(decoding: view.bytes(slice), as: UTF8.self)
  }
  for index in 0..<view.head.fieldCount {
    let name = view.bytes(view.fields[index].name)
    let value = view.bytes(view.fields[index].value)
    require(!value.contains { $0 == 0x0D || $0 == 0x0A || $0 == 0 }, "a value holds a line end")
    text += "|" + String(decoding: name, as: UTF8.self) + ":" + String(decoding: value, as: UTF8.self)
  }
  _ = PercentCoding.decode(view.path)
  return text
}

let representation = Representation(
  bytes: StaticBytes([UInt8](repeating: 0x61, count: 300)), contentType: "a/b", cacheControl: "no-cache",
  entityTag: "v1", lastModified: 784_111_777, acceptsRanges: true)

func feedRanges(_ input: [UInt8]) {
  // Anything that could end the line would only make another request of it.
  let value = input.filter { $0 >= 0x20 && $0 != 0x7F }
  select(Array("GET / HTTP/1.1\r\nHost: a\r\nRange: bytes=".utf8) + value + Array("\r\n\r\n".utf8))
}

func feedConditions(_ input: [UInt8]) {
  select(Array("GET / HTTP/1.1\r\nHost: a\r\n".utf8) + input + Array("\r\n\r\n".utf8))
}

func select(_ request: [UInt8]) {
  _ = RequestView.parsing(request) { view in
    let selection = Preconditions.select(view, representation)
    switch selection {
    case .range(let offset, let length):
      require(offset >= 0 && length > 0 && offset + length <= representation.length, "a range leads out of the file")
    case .parts(let body): check(body)
    case .whole, .notModified, .preconditionFailed, .unsatisfiable: break
    }
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { target in
      Array("Sun, 06 Nov 1994 08:49:37 GMT".utf8).withUnsafeBytes { date in
        let length = ResponseHeadWriter.write(
          representation, selection, date: date, keepAlive: true, minorVersion: 1, into: target)
        require(length != nil, "a head does not fit")
      }
    }
  }
}

/// Parts are apart, within the representation, no more than asked for, and as long together as announced.
func check(_ body: MultipartBody) {
  require(body.ranges.count >= 2 && body.ranges.count <= RequestLimits().ranges, "the number of parts is wrong")
  let sorted = body.ranges.sorted { $0.lowerBound < $1.lowerBound }
  for (left, right) in zip(sorted, sorted.dropFirst()) {
    require(left.upperBound < right.lowerBound, "parts touch")
  }
  require((sorted.first?.lowerBound ?? 0) >= 0, "a part begins before the file")
  require((sorted.last?.upperBound ?? 0) <= representation.length, "a part ends behind the file")
  var position = 0
  while let segment = body.segment(at: position) {
    switch segment {
    case .text(let text):
      require(!text.isEmpty, "an empty segment")
      position += text.count
    case .content(let offset, let length):
      require(length > 0 && offset >= 0 && offset + length <= representation.length, "content leads out of the file")
      position += length
    }
  }
  require(position == body.length, "the body is not as long as announced")
}

/// What a chunked body decodes to must not depend on the pieces it comes in.
func feedChunks(_ input: [UInt8]) {
  guard let first = input.first else { return }
  let bytes = Array(input.dropFirst())
  let cut = bytes.isEmpty ? 0 : Int(first) % bytes.count
  let whole = decode([bytes])
  require(whole == decode([Array(bytes[..<cut]), Array(bytes[cut...])]), "the body depends on where it was cut")
}

func decode(_ pieces: [[UInt8]]) -> String {
  var decoder = ChunkedDecoder()
  var body: [UInt8] = []
  var consumed = 0
  for piece in pieces {
    var rest = piece[...]
    while !rest.isEmpty {
      let part = Array(rest)
      let progress = part.withUnsafeBytes { decoder.decode($0) { body += $0 } }
      if let fault = progress.fault { return "\(fault.code)" }
      consumed += progress.consumed
      if progress.isComplete { return "complete \(consumed) \(body)" }
      guard progress.consumed > 0 else { return "stuck" }
      rest = rest.dropFirst(progress.consumed)
    }
  }
  return "more \(body)"
}
