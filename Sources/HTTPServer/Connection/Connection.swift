import Glibc
import HTTPCore
import SystemIO
import TLS

/// One client, on one loop. Everything here is touched by that loop's thread only.
final class Connection {
  let descriptor: FileDescriptor
  let tls: ServerTLSConnection
  /// Which of the server's listeners accepted it.
  let listener: Int
  /// The client's address without its port: the peer's, or what a trusted proxy has said in a PROXY header.
  var address: String
  /// Whom it asks for, as a number.
  var client = ClientAddress.unknown
  /// The address that the connection counts for in the limit for each address; a trusted proxy's own counts for none.
  var countedAddress: String?
  /// The peer, or whoever it connects for, is a proxy whose X-Forwarded-For is believed.
  var isBehindProxy = false
  let token: UInt64

  /// What is to be done, and by when.
  ///
  /// Its methods reach nothing but itself, so two of them never overlap; checking that while the program runs would
  /// cost a twentieth of a small request.
  @exclusivity(unchecked) var state: ConnectionStateMachine
  var parser: RequestParser
  /// Decrypted bytes that nobody has consumed yet.
  var carry = HeldBytes()
  /// Records that the socket did not take yet.
  var backlog = HeldBytes()
  /// The body that arrives.
  var intake: BodyIntake?
  /// The answer that is sent.
  var transfer: Transfer?
  /// Bytes that the socket has accepted while the connection is new.
  var bytesTaken = 0
  /// Its send buffer in the kernel is small, because nobody knows yet whether the peer reads.
  var isNewcomer = true
  var isReadable = true
  var isWritable = true
  /// The kernel has reported the end of the peer's side; there may still be bytes before it.
  var hasHungUp = false
  /// The kernel has reported that nothing more can be sent.
  var isGone = false
  /// In the loop's queue of connections that have more to send.
  var isQueued = false
  /// The current request, for the access log.
  var record: AccessRecord?
  /// Facts of the current request that its answer needs.
  var request = RequestFacts()

  init(
    descriptor: consuming FileDescriptor, tls: ServerTLSConnection, listener: Int, address: String, token: UInt64,
    limits: RequestLimits, state: ConnectionStateMachine
  ) {
    self.descriptor = descriptor
    self.tls = tls
    self.listener = listener
    self.address = address
    self.token = token
    self.state = state
    parser = RequestParser(limits: limits)
  }

  var isOpen: Bool { state.phase != .closed }
}

/// What the answer must know of its request once the request's bytes are gone.
struct RequestFacts {
  var isHead = false
  var minorVersion: UInt8 = 1
  /// Of the answer.
  var status: UInt16 = 0
  /// Bytes of the answer's body in all.
  var bodyLength = 0
  /// Monotonic nanoseconds of the end of the head; 0 when there is no request.
  var start: Int64 = 0
  /// The body went to its receiver as a whole.
  var isReceived = false
  /// It counts for the limit of requests that need a worker.
  var isInHand = false
  /// Whom a trusted proxy asks for.
  var forwardedFor: String?
  /// What counts for it in the limit for each address until the request ends.
  var forwardedKey: String?
  /// Whom it asks for, as a number.
  var forwardedClient: ClientAddress?
}
