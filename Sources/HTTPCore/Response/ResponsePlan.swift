/// What is to be done about a request; the server carries it out.
package enum ResponsePlan: Sendable {
  /// Answer with a representation, or with what its preconditions came to.
  case representation(Representation, Selection)
  /// Answer with a message; a request body, if there is one, is not wanted.
  case message(Message)
  /// Collect at most `bodyLimit` bytes of body, then have a worker make the answer.
  case work(bodyLimit: Int, @Sendable (OwnedRequest) -> Message)
  /// Hand the body to a receiver as it arrives.
  case receive(BodyReceiver)
}

/// Takes a request's body piece by piece, so that an upload never is in memory as a whole.
///
/// The three closures are called on workers, one call at a time and in the order of the bytes. Exactly one of
/// `finish`, a `write` that returns a message, and `abandon` is the last call.
package final class BodyReceiver: Sendable {
  /// The most bytes of body accepted; a longer body is answered 413.
  package let limit: Int
  /// Takes the bytes at `offset` of the body, valid only during the call. A message ends the request at once.
  package let write: @Sendable (_ offset: Int, _ bytes: UnsafeRawBufferPointer) -> Message?
  /// Called after the last byte with the body's length; its message is the response.
  package let finish: @Sendable (_ total: Int) -> Message
  /// Called when the body will not come to its end: the client went away, stalled, or sent too much.
  package let abandon: @Sendable () -> Void

  package init(
    limit: Int, write: @escaping @Sendable (_ offset: Int, _ bytes: UnsafeRawBufferPointer) -> Message?,
    finish: @escaping @Sendable (_ total: Int) -> Message, abandon: @escaping @Sendable () -> Void
  ) {
    self.limit = limit
    self.write = write
    self.finish = finish
    self.abandon = abandon
  }
}
