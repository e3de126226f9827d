import COpenSSL
import CRecordSealing

/// One connection of the self-test: both sides, and what was sent between them.
struct SealedConversation {
  private let cipher: String
  private let fault: RecordSealingFault.Kind?
  private let sink = TLSSink(capacity: 256 * 1024)
  private let server: ServerTLSConnection
  private let client: MemoryClient
  /// A fault strikes once.
  private var isSpoiled = false

  init(_ context: ServerTLSContext, cipher: String, fault: RecordSealingFault.Kind?) throws(TLSFailure) {
    self.cipher = cipher
    self.fault = fault
    server = try ServerTLSConnection(context, sink: sink)
    client = try MemoryClient(cipherSuite: cipher)
  }

  func shakeHands() throws(RecordSealingMismatch) {
    // Two flights each way, and one more for a HelloRetryRequest.
    for _ in 0..<3 {
      client.handshake()
      carryToServer { _ = server.handshake() }
      carryToClient()
    }
    guard client.isEstablished, server.isEstablished else {
      _ = TLSFailure.drainQueue()
      throw .noHandshake(cipher: cipher)
    }
    guard server.sealsItsRecords else { throw .keysNotHandedOver(cipher: cipher) }
  }

  /// Sends `bytes` to the client in one write and compares. `isLate` tells the data after a KeyUpdate.
  mutating func send(_ bytes: ArraySlice<UInt8>, _ step: String, isLate: Bool = false) throws(RecordSealingMismatch) {
    let spoils = !isSpoiled && (isLate ? fault == .flippedBitAfterKeyUpdate : fault != nil)
    var sent = Array(bytes)
    if spoils { spoilBefore(&sent) }
    guard sent.withUnsafeBytes({ server.write($0) }) == .bytes(sent.count) else {
      throw .notWritten(cipher: cipher, step: step)
    }
    if spoils { spoilAfter(isLate: isLate) }
    carryToClient()
    var received: [UInt8] = []
    reading: while true {
      switch client.read(upTo: 20_000) {
      case .bytes(let piece): received += piece
      case .wantsInput: break reading
      case .closed: throw .differs(cipher: cipher, step: step, at: received.count)
      case .failed(let reasons): throw .refused(cipher: cipher, step: step, reasons: reasons)
      }
    }
    guard received.elementsEqual(bytes) else {
      let same = zip(received, bytes).prefix { $0 == $1 }.count
      throw .differs(cipher: cipher, step: step, at: same)
    }
  }

  /// The client asks for new keys; the server answers with a KeyUpdate of its own before its next data.
  func updateKeys() throws(RecordSealingMismatch) {
    guard client.requestKeyUpdate() else { throw .notWritten(cipher: cipher, step: "a KeyUpdate") }
    carryToServer { readAll() }
  }

  /// The server says that it is done.
  func close() throws(RecordSealingMismatch) {
    server.shutdown()
    if fault == .missingCloseNotify { sink.removeAll() }
    carryToClient()
    guard case .closed = client.read(upTo: 1) else {
      _ = TLSFailure.drainQueue()
      throw .noAlert(cipher: cipher, step: "close_notify")
    }
  }

  /// The server gets a record that nobody encrypted, and complains.
  func provokeAlert() throws(RecordSealingMismatch) {
    let record = [23, 3, 3, 0, 32] + [UInt8](repeating: 0, count: 32)
    record.withUnsafeBytes { bytes in
      server.take(bytes)
      readAll()
    }
    if fault == .missingFatalAlert { sink.removeAll() }
    carryToClient()
    guard case .failed = client.read(upTo: 1), client.lastAlert == SSL_AD_BAD_RECORD_MAC else {
      throw .noAlert(cipher: cipher, step: "the alert bad_record_mac")
    }
  }

  private func readAll() {
    withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 1) { buffer in
      while case .bytes = server.read(into: buffer) {}
    }
  }

  private func carryToServer(_ body: () -> Void) {
    client.takeOutput().withUnsafeBytes { bytes in
      server.take(bytes)
      body()
    }
  }

  private func carryToClient() {
    client.take(sink.bytes)
    sink.removeAll()
  }

  private mutating func spoilBefore(_ content: inout [UInt8]) {
    switch fault {
    case .wrongSequence: server.wire.pointee.records.sequence += 1
    case .wrongType: server.wire.pointee.records.type = 22
    case .otherContent: content[content.count - 1] ^= 1
    case .keysNotTaken, .flippedBit, .missingRecord, .flippedBitAfterKeyUpdate, .missingCloseNotify,
      .missingFatalAlert, nil:
      return
    }
    isSpoiled = true
  }

  private mutating func spoilAfter(isLate: Bool) {
    guard sink.count > 0 else { return }
    switch fault {
    case .flippedBit: sink.sink.pointee.bytes[sink.count - 1] ^= 1
    case .flippedBitAfterKeyUpdate where isLate: sink.sink.pointee.bytes[sink.count - 1] ^= 1
    case .missingRecord: sink.removeAll()
    case .keysNotTaken, .wrongSequence, .wrongType, .otherContent, .flippedBitAfterKeyUpdate, .missingCloseNotify,
      .missingFatalAlert, nil:
      return
    }
    isSpoiled = true
  }
}
