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
