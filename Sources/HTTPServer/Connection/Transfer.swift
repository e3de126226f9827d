import HTTPCore

/// An answer on its way: what is left of it.
struct Transfer {
  /// Where the body's bytes come from.
  enum Source {
    case representation(Representation)
    /// Several ranges of the representation; the offset counts in the multipart body.
    case parts(MultipartBody, Representation)
    case message(Message)
  }

  let source: Source
  /// The next byte of the source to send.
  var offset: Int
  /// Bytes of the body that are still to be sent.
  var remaining: Int

  /// What must be read for the next bytes: a representation, from where and how much; nil when they are in memory.
  var nextContent: (representation: Representation, offset: Int, count: Int)? {
    switch source {
    case .message: return nil
    case .representation(let representation): return (representation, offset, remaining)
    case .parts(let body, let representation):
      guard case .content(let offset, let length)? = body.segment(at: offset) else { return nil }
      return (representation, offset, length)
    }
  }

  /// The representation that is sent, and whether the bytes so far end with its last one; nil for a message.
  var delivery: (representation: Representation, reachesEnd: Bool)? {
    switch source {
    case .message: nil
    case .representation(let representation): (representation, offset == representation.length)
    // Several ranges are pieces, whatever the last of them is.
    case .parts(_, let representation): (representation, false)
    }
  }
}
