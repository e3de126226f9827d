import HTTPCore

extension Transfer {
  /// The representation that is sent, and whether the bytes so far end with its last one; nil for a message.
  var delivery: (representation: Representation, reachesEnd: Bool)? {
    switch source {
    case .message: nil
    case .representation(let representation): (representation, offset == representation.length)
    case .parts(let body, let representation):
      (representation, remaining == 0 && body.ranges.contains { $0.upperBound == representation.length })
    }
  }
}
