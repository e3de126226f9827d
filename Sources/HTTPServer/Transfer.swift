import HTTPCore

/// An answer on its way: what is left of it.
struct Transfer {
  /// Where the body's bytes come from.
  enum Source {
    case representation(Representation)
    case message(Message)
  }

  let source: Source
  /// The next byte of the source to send.
  var offset: Int
  /// Bytes of the body that are still to be sent.
  var remaining: Int
  /// The part of the file that is being brought into memory by a worker; nothing can be sent until then.
  var waitsForDisk = false
}
