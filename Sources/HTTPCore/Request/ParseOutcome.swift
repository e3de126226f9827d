/// What a look at the bytes received so far came to.
package enum ParseOutcome: Sendable {
  /// The head is not complete; call again when more bytes are there.
  case needMore
  /// The head is complete; its body, if any, begins at `headLength`.
  case complete(RequestHead)
  /// The request must be answered with the fault's status and the connection closed.
  case refused(RequestFault)
}
