import Values

/// The body of a 206 with several ranges, `multipart/byteranges` (RFC 9110 sections 14.6 and 15.3.7.2): what stands
/// between the ranges is rendered here, the ranges themselves stay where the representation has them, so that the body
/// is never in memory as a whole.
package final class MultipartBody: Sendable, Equatable {
  /// What stands at a position of the body.
  package enum Segment {
    /// Rendered text, from the position to the text's end; valid while the body lives.
    case text(UnsafeRawBufferPointer)
    /// This many bytes of the representation, from `offset`.
    case content(offset: Int, length: Int)
  }

  /// One range and the text in front of it.
  private struct Part: Sendable {
    /// Where in the body the text begins.
    var start: Int
    /// Where in `text` it stands.
    var head: Range<Int>
    var range: Range<Int>

    var contentStart: Int { start + head.count }
    var end: Int { contentStart + range.count }
  }

  /// The boundary of every body that this process makes: 128 random bits, so that no content holds it by accident.
  package static let boundary = StaticBytes(
    "packhouse-" + hexadecimal((0..<16).map { _ in UInt8.random(in: .min ... .max) }))

  /// The ranges in the order in which they are sent; at least two.
  package let ranges: [Range<Int>]
  /// Length of the body in bytes.
  package let length: Int
  package let boundary: StaticBytes
  private let parts: [Part]
  private let text: StaticBytes
  /// Where the closing delimiter stands in `text`.
  private let closing: Range<Int>

  /// Renders what stands between the ranges.
  ///
  /// - Parameter ranges: not empty, within the representation and apart from each other, so that their lengths together
  ///   are at most its length.
  package init(
    _ ranges: [Range<Int>], of representation: Representation, boundary: StaticBytes = MultipartBody.boundary
  ) {
    let type = Array(representation.contentType.pointer)
    let delimiter = [0x2D, 0x2D] + Array(boundary.pointer)
    let lineEnd: [UInt8] = [0x0D, 0x0A]
    var text: [UInt8] = []
    var parts: [Part] = []
    var position = 0
    for range in ranges {
      let start = text.count
      if !parts.isEmpty { text += lineEnd }
      text += delimiter + lineEnd
      if !type.isEmpty { text += Array("Content-Type: ".utf8) + type + lineEnd }
      let place = "\(range.lowerBound)-\(range.upperBound - 1)/\(representation.length)"
      text += Array("Content-Range: bytes \(place)\r\n\r\n".utf8)
      let part = Part(start: position, head: start..<text.count, range: range)
      parts.append(part)
      position = part.end
    }
    let end = text.count
    text += lineEnd + delimiter + [0x2D, 0x2D] + lineEnd
    self.ranges = ranges
    self.boundary = boundary
    self.parts = parts
    self.text = StaticBytes(text)
    closing = end..<text.count
    length = position + closing.count
  }

  /// What stands at `position` of the body; nil at its end.
  package func segment(at position: Int) -> Segment? {
    guard position >= 0, position < length else { return nil }
    for part in parts where position < part.end {
      let inside = position - part.contentStart
      guard inside >= 0 else {
        return .text(slice(position - part.start + part.head.lowerBound..<part.head.upperBound))
      }
      return .content(offset: part.range.lowerBound + inside, length: part.range.count - inside)
    }
    return .text(slice(closing.upperBound - (length - position)..<closing.upperBound))
  }

  private func slice(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: text.pointer[range])
  }

  /// Bodies are the same when their ranges and lengths are.
  package static func == (left: MultipartBody, right: MultipartBody) -> Bool {
    left.ranges == right.ranges && left.length == right.length
  }
}
