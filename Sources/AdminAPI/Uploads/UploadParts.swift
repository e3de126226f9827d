import Digests
import HTTPCore
import Observability
import PackStore
import Synchronization
import SystemIO
import Values

/// `PUT /uploads/{file}/{part}`: the bytes of one part, straight to the disk. The address is signed; no
/// token is needed.
struct UploadParts: Sendable {
  static let pathPrefix = "/uploads/"

  let store: PackStore
  let signer: UploadSigner
  let log: Log
  let refused: @Sendable (_ code: String) -> Void

  /// Whether the path is one of a part.
  static func isPart(_ path: [String]) -> Bool { path.count == 3 && path[0] == "uploads" }

  /// Where the body goes. Everything that may block is left to the worker that gets the first bytes.
  func plan(_ view: RequestView) -> ResponsePlan {
    let request = OwnedRequest(view, body: [], remoteAddress: "")
    var announced: Int?
    if case .length(let length) = view.head.framing { announced = length }
    let intake = PartIntake(parts: self, request: request, announced: announced)
    return .receive(
      BodyReceiver(
        limit: Int.max, write: { _, bytes in intake.write(bytes) }, finish: { _ in intake.finish() },
        abandon: { intake.abandon() }))
  }

  /// Opens the part that the request names.
  fileprivate func open(_ request: OwnedRequest, announced: Int?) throws(APIFailure) -> UploadPartWriter {
    guard let path = request.decodedPathSegments, Self.isPart(path) else {
      throw APIFailure(.notFound, "There is nothing at \(request.path).")
    }
    guard signer.accepts(file: path[1], query: request.queryItems) else {
      throw APIFailure(
        .signatureInvalid, "The address has expired or was changed; read the upload file again for fresh addresses.")
    }
    // A number too large for Int is past the end of any file, too.
    let isNumber = !path[2].isEmpty && path[2].utf8.allSatisfy { (0x30...0x39).contains($0) }
    let number = isNumber ? Int(path[2]) ?? .max : 0
    guard number > 0 else {
      throw APIFailure(.notFound, "\(path[2]) is not the number of a part; parts are numbered from 1.")
    }
    do throws(StoreFailure) {
      let writer = try store.beginPart(upload: path[1], number: number)
      if let announced, announced > writer.part.length {
        writer.cancel()
        throw .partTooLong(part: number, expected: writer.part.length)
      }
      return writer
    } catch {
      throw APIFailure(error)
    }
  }
}

/// One part on its way in. Used by one worker after the other, never by two at once.
private final class PartIntake: Sendable {
  private let parts: UploadParts
  private let request: OwnedRequest
  private let announced: Int?
  private let writer = Mutex<UploadPartWriter?>(nil)

  init(parts: UploadParts, request: OwnedRequest, announced: Int?) {
    self.parts = parts
    self.request = request
    self.announced = announced
  }

  /// Writes the next bytes; a result other than nil is the answer, and no more is accepted.
  func write(_ bytes: UnsafeRawBufferPointer) -> Message? {
    do throws(APIFailure) {
      let writer = try opened()
      do throws(StoreFailure) { try writer.write(bytes) } catch { throw APIFailure(error) }
      return nil
    } catch {
      return refuse(error)
    }
  }

  func finish() -> Message {
    do throws(APIFailure) {
      let writer = try opened()
      let entityTag: String
      do throws(StoreFailure) { entityTag = try writer.finish() } catch { throw APIFailure(error) }
      return Message(status: 200, contentType: nil, body: [], fields: [("ETag", "\"\(entityTag)\"")])
    } catch {
      return refuse(error)
    }
  }

  func abandon() { writer.withLock { $0?.cancel() } }

  private func opened() throws(APIFailure) -> UploadPartWriter {
    if let writer = writer.withLock({ $0 }) { return writer }
    let fresh = try parts.open(request, announced: announced)
    writer.withLock { $0 = fresh }
    return fresh
  }

  private func refuse(_ failure: APIFailure) -> Message {
    abandon()
    parts.refused(failure.code.rawValue)
    if failure.code == .internalFailure { parts.log.error("PUT \(request.path): \(failure.detail)") }
    return failure.message
  }
}

/// Signs the addresses that parts are sent to, so that anyone who has the address may send that file's parts until it
/// expires, and nothing else.
struct UploadSigner: Sendable {
  /// How long an address is valid, in seconds.
  static let lifetime: Int64 = 24 * 3600

  let key: [UInt8]
  let clock: WallClock

  /// The query of an address for `file`: `expires=…&signature=…`.
  func query(file: String) -> (text: String, expires: Int64) {
    let expires = clock.now() + Self.lifetime
    return ("expires=\(expires)&signature=\(hexadecimal(code(file, expires)))", expires)
  }

  /// Whether a request carries an address of this signer that has not expired.
  func accepts(file: String, query: [(String, String)]) -> Bool {
    var expires: Int64?
    var signature: String?
    for (name, value) in query {
      if name == "expires" { expires = Int64(value) }
      if name == "signature" { signature = value }
    }
    guard let expires, let signature, expires >= clock.now() else { return false }
    let expected = Array(hexadecimal(code(file, expires)).utf8)
    return MessageAuthentication.areEqual(expected, Array(signature.utf8))
  }

  private func code(_ file: String, _ expires: Int64) -> [UInt8] {
    MessageAuthentication.code(key: key, message: Array("upload\n\(file)\n\(expires)".utf8))
  }
}
