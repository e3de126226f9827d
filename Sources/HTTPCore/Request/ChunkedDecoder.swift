import Values

/// Takes a chunked body apart as it arrives (RFC 9112 section 7.1). Extensions and trailers are checked and dropped.
package struct ChunkedDecoder: Sendable {
  /// How far one call came.
  package struct Progress: Sendable {
    /// Bytes of the input that belong to this body and have been dealt with.
    package var consumed: Int
    /// Whether the body, trailers included, is at its end; what follows is the next request.
    package var isComplete: Bool
    /// Why the body is refused; the connection must be closed.
    package var fault: RequestFault?
  }

  /// Bytes of chunk extensions accepted in one body.
  package static let extensionBytes = 16384
  /// Bytes of trailers accepted.
  package static let trailerBytes = 8192
  /// Hexadecimal digits of a size; leading zeros count, so that they are bounded too.
  private static let sizeDigits = 16

  private enum State: Sendable {
    case size(digits: Int), blank, extensions, sizeEnd, data, dataCR, dataLF
    case trailerStart, trailerName, trailerValue, trailerEnd, lastEnd, complete
    case failed(RequestFault)
  }

  private var state = State.size(digits: 0)
  private var remaining = 0
  private var extensionCount = 0
  private var trailerCount = 0

  package init() {}

  /// Deals with the next bytes of the body.
  ///
  /// - Parameters:
  ///   - input: what has arrived; the bytes after `consumed` must be kept for the next request.
  ///   - body: called with each stretch of content, which is valid only during the call.
  package mutating func decode(
    _ input: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) -> Progress {
    var index = 0
    while index < input.count {
      switch state {
      case .complete:
        return Progress(consumed: index, isComplete: true, fault: nil)
      case .failed(let fault):
        return Progress(consumed: index, isComplete: false, fault: fault)
      case .data:
        let count = min(remaining, input.count - index)
        body(UnsafeRawBufferPointer(rebasing: input[index..<index + count]))
        index += count
        remaining -= count
        if remaining == 0 { state = .dataCR }
      default:
        do throws(RequestFault) {
          state = try step(input[index])
          index += 1
        } catch {
          state = .failed(error)
        }
      }
    }
    switch state {
    case .complete: return Progress(consumed: index, isComplete: true, fault: nil)
    case .failed(let fault): return Progress(consumed: index, isComplete: false, fault: fault)
    default: return Progress(consumed: index, isComplete: false, fault: nil)
    }
  }

  /// The state after one byte that is not content.
  private mutating func step(_ byte: UInt8) throws(RequestFault) -> State {
    switch state {
    case .size(let digits): return try stepSize(byte, digits: digits)
    case .blank, .extensions: return try stepExtension(byte)
    case .sizeEnd:
      guard byte == 0x0A else { throw .malformedChunk }
      return remaining == 0 ? .trailerStart : .data
    case .dataCR:
      guard byte == 0x0D else { throw .malformedChunk }
      return .dataLF
    case .dataLF:
      guard byte == 0x0A else { throw .malformedChunk }
      return .size(digits: 0)
    case .lastEnd:
      guard byte == 0x0A else { throw .malformedChunk }
      return .complete
    case .trailerStart, .trailerName, .trailerValue, .trailerEnd: return try stepTrailer(byte)
    case .data, .complete, .failed: return state
    }
  }

  private mutating func stepSize(_ byte: UInt8, digits: Int) throws(RequestFault) -> State {
    if let digit = hexadecimalValue(byte) {
      if digits == 0 { remaining = 0 }
      let (product, overflows) = remaining.multipliedReportingOverflow(by: 16)
      guard digits < Self.sizeDigits, !overflows else { throw .chunkTooLarge }
      remaining = product + Int(digit)
      return .size(digits: digits + 1)
    }
    guard digits > 0 else { throw .malformedChunk }
    switch byte {
    case 0x0D: return .sizeEnd
    case 0x3B: return .extensions
    case 0x20, 0x09: return .blank
    default: throw .malformedChunk
    }
  }

  private mutating func stepExtension(_ byte: UInt8) throws(RequestFault) -> State {
    extensionCount += 1
    guard extensionCount <= Self.extensionBytes else { throw .chunkOverhead }
    if case .blank = state {
      // White space may stand before a semicolon only: `5 ` and the line's end could be read in two ways.
      if Octets.isBlank(byte) { return .blank }
      guard byte == 0x3B else { throw .malformedChunk }
      return .extensions
    }
    if byte == 0x0D { return .sizeEnd }
    guard Self.isText(byte) else { throw .malformedChunk }
    return .extensions
  }

  private mutating func stepTrailer(_ byte: UInt8) throws(RequestFault) -> State {
    trailerCount += 1
    guard trailerCount <= Self.trailerBytes else { throw .chunkOverhead }
    switch state {
    case .trailerStart:
      if byte == 0x0D { return .lastEnd }
      guard Octets.isToken(byte) else { throw .malformedChunk }
      return .trailerName
    case .trailerName:
      if byte == 0x3A { return .trailerValue }
      guard Octets.isToken(byte) else { throw .malformedChunk }
      return .trailerName
    case .trailerValue:
      if byte == 0x0D { return .trailerEnd }
      guard Self.isText(byte) else { throw .malformedChunk }
      return .trailerValue
    default:
      guard byte == 0x0A else { throw .malformedChunk }
      return .trailerStart
    }
  }

  private static func isText(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7F || byte == 0x09 }
}
