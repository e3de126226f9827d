import HTTPCore

/// A request's body on its way in, owned by one loop. What it is for decides the rest: collected in
/// memory for a worker, or handed to a `BodyReceiver` chunk by chunk.
final class BodyIntake {
  enum Purpose {
    case work(OwnedRequest, @Sendable (OwnedRequest) -> Message)
    case receive(BodyReceiver)
  }

  /// What a piece of input led to.
  enum Step {
    /// All of the input was taken, and more must come.
    case needsMore
    /// A chunk is full, or the body has ended: see `handover`.
    case hasChunk
    case tooLarge
    case fault(RequestFault)
  }

  /// Bytes that are gathered before a receiver gets them: one write to disk.
  static let chunkSize = 256 * 1024

  let purpose: Purpose
  private let limit: Int
  private var decoder: ChunkedDecoder?
  private var announced: Int
  private var received = 0
  private(set) var chunk: [UInt8] = []
  /// The body's last byte has arrived.
  private(set) var hasEnded = false
  /// A worker is processing a chunk of this body.
  var isWriting = false
  /// Bytes that were handed over: the next chunk's offset.
  var written = 0
  /// The connection is gone or answered; the receiver must hear of it when its worker is done.
  var isAbandoned = false

  /// `limit` is in bytes; the caller has refused an announced length above it.
  init(purpose: Purpose, framing: BodyFraming, limit: Int) {
    self.purpose = purpose
    self.limit = limit
    switch framing {
    case .none: announced = 0
    case .length(let count): announced = count
    case .chunked:
      announced = 0
      decoder = ChunkedDecoder()
    }
    hasEnded = decoder == nil && announced == 0
  }

  /// Whether more input could be taken now.
  var hasRoom: Bool {
    if hasEnded { return false }
    if case .work = purpose { return true }
    return !isWriting || chunk.count < Self.chunkSize
  }

  /// Takes bytes from the front of `input` and returns how many.
  func take(_ input: UnsafeRawBufferPointer) -> (consumed: Int, step: Step) {
    decoder == nil ? takePlain(input) : takeChunked(input)
  }

  private func takePlain(_ input: UnsafeRawBufferPointer) -> (consumed: Int, step: Step) {
    let count = min(input.count, announced - received, room)
    chunk.append(contentsOf: UnsafeRawBufferPointer(rebasing: input[0..<count]))
    received += count
    hasEnded = received == announced
    return (count, hasEnded || room == 0 ? .hasChunk : .needsMore)
  }

  private func takeChunked(_ input: UnsafeRawBufferPointer) -> (consumed: Int, step: Step) {
    // A chunk may grow past `chunkSize` by what one read brought; the loop's buffer bounds that.
    let progress = decoder?.decode(input) { chunk.append(contentsOf: $0) }
    guard let progress else { return (0, .needsMore) }
    if let fault = progress.fault { return (progress.consumed, .fault(fault)) }
    hasEnded = progress.isComplete
    guard written + chunk.count <= limit else { return (progress.consumed, .tooLarge) }
    return (progress.consumed, hasEnded || room == 0 ? .hasChunk : .needsMore)
  }

  private var room: Int {
    if case .work = purpose { return Int.max }
    return max(0, Self.chunkSize - chunk.count)
  }

  /// What to do with the gathered bytes.
  enum Handover: Equatable {
    case nothing
    /// A worker makes the answer from the whole body.
    case work
    /// A worker gives the receiver the next chunk.
    case write
    /// The receiver has everything; a worker asks it for the answer.
    case finish
  }

  var handover: Handover {
    switch purpose {
    case .work: return hasEnded ? .work : .nothing
    case .receive:
      if isWriting { return .nothing }
      if chunk.count >= Self.chunkSize || hasEnded && !chunk.isEmpty { return .write }
      return hasEnded ? .finish : .nothing
    }
  }

  /// Gives the gathered bytes away and starts a new chunk.
  func takeChunk() -> [UInt8] {
    let full = chunk
    chunk = []
    if !hasEnded, case .receive = purpose { chunk.reserveCapacity(Self.chunkSize) }
    return full
  }
}
