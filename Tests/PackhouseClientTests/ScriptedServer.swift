import Digests
import Foundation
import Synchronization

@testable import PackhouseClient

/// A server without a network: a manifest, packs with ranges, and faults on demand.
final class ScriptedServer: PackTransport {
  struct Served: Sendable {
    var version: Int
    var bytes: [UInt8]
    var policy = #"{"onDemand":{}}"#
    var userInfo: String?
    /// Without quotes; the SHA-256 when nil.
    var tag: String?
    var size: Int?
  }

  /// What goes wrong with the next answer for a pack.
  enum Fault: Sendable {
    /// The connection ends after that many bytes of the body.
    case cut(Int)
    case status(Int)
    /// Status 503 with that field value.
    case busy(retryAfter: String)
    case refused
    /// The whole body, whatever range was asked for.
    case ignoresRange
    case wrongRange
    /// One byte of the body is another.
    case flipped
    case longer
    case noTag
    /// An answer that ends in order after that many bytes, and says neither its length nor its tag. Zeros stand behind
    /// the pack's own.
    case unannounced(Int)
    /// The part that was asked for, with the tag of something else.
    case otherTag
    case redirect(String)
    /// The body stops after that many bytes until `release` is called.
    case hold(Int)
  }

  struct State: Sendable {
    var packs: [String: Served] = [:]
    var manifest: String?
    var manifestStatus = 200
    var faults: [String: [Fault]] = [:]
    /// "ID" or "ID RANGE" for each request of a pack, "manifest" for one of the manifest.
    var log: [String] = []
    var isReleased = false
    var bytesSent = 0
  }

  let state = Mutex(State())
  static let base = "https://packs.example.com/"
  static let manifestURL = base + "manifest.json"

  var log: [String] { state.withLock { $0.log } }
  func clearLog() { state.withLock { $0.log = [] } }
  func release() { state.withLock { $0.isReleased = true } }
  func fail(_ id: String, _ faults: Fault...) { state.withLock { $0.faults[id, default: []] += faults } }
  func serve(_ id: String, _ pack: Served) { state.withLock { $0.packs[id] = pack } }
  func withdraw(_ id: String) { state.withLock { $0.packs[id] = nil } }

  /// Serves a pack of one file below `ID/`.
  func serve(
    _ id: String, version: Int = 1, size: Int = 200_000, policy: String = #"{"onDemand":{}}"#, userInfo: String? = nil
  ) throws {
    let content = [UInt8](repeating: UInt8(version & 255), count: 16) + TestPack.noise(size, seed: id.count + version)
    let bytes = try TestPack.make(id, [("\(id)/data.bin", content), ("\(id)/version.txt", Array("\(version)".utf8))])
    serve(id, Served(version: version, bytes: bytes, policy: policy, userInfo: userInfo))
  }

  private static func manifest(_ state: State) -> String {
    if let text = state.manifest { return text }
    let entries = state.packs.sorted { $0.key < $1.key }.map { id, pack in
      let extra = pack.userInfo.map { #","userInfo":\#($0)"# } ?? ""
      return """
        {"id":"\(id)","version":\(pack.version),"downloadSize":\(pack.size ?? pack.bytes.count),\
        "url":"\(base)packs/\(pack.version)/\(id)","host":{"thirdParty":{}},"downloadPolicy":\(pack.policy)\(extra)}
        """
    }
    return #"{"assetPacks":[\#(entries.joined(separator: ","))]}"#
  }

  func get(
    _ request: TransportRequest,
    receive: (TransportResponse, UnsafeRawBufferPointer) throws(ManagedBackgroundAssetsError) -> Void
  ) throws(ManagedBackgroundAssetsError) -> TransportResponse {
    if request.url == Self.manifestURL {
      let (status, text) = state.withLock { state in
        state.log.append("manifest")
        return (state.manifestStatus, Self.manifest(state))
      }
      if status == 0 { throw .network("Nothing listens.", isTransient: true) }
      let response = TransportResponse(status: status, fields: [])
      try send(Array(text.utf8)[...], response, receive)
      return response
    }
    let id = request.url.split(separator: "/").last.map(String.init) ?? ""
    let range = request.fields.first { $0.name == "Range" }?.value
    let condition = request.fields.first { $0.name == "If-Range" }?.value
    let (pack, fault) = state.withLock { state in
      state.log.append(range.map { "\(id) \($0)" } ?? id)
      let fault = state.faults[id]?.isEmpty == false ? state.faults[id]?.removeFirst() : nil
      return (state.packs[id], fault)
    }
    guard let pack else { return TransportResponse(status: 404, fields: []) }
    var bytes = pack.bytes
    var limit = Int.max
    var holdAt: Int?
    var ignoresRange = false
    var fields: [(name: String, value: String)] = [("ETag", "\"\(pack.tag ?? Digest.sha256Text(bytes))\"")]
    switch fault {
    case .cut(let count): limit = count
    case .status(let status): return TransportResponse(status: status, fields: [])
    case .busy(let seconds): return TransportResponse(status: 503, fields: [("Retry-After", seconds)])
    case .refused: throw .network("Nothing listens.", isTransient: true)
    case .ignoresRange: ignoresRange = true
    case .flipped: bytes[bytes.count / 2] ^= 1
    case .longer: bytes.append(0)
    case .noTag: fields = []
    case .unannounced(let count):
      let response = TransportResponse(status: 200, fields: [])
      try send((bytes + [UInt8](repeating: 0, count: max(0, count - bytes.count))).prefix(count), response, receive)
      return response
    case .redirect(let url): return TransportResponse(status: 302, fields: [("Location", url)])
    case .hold(let count): holdAt = count
    case .wrongRange, .otherTag, nil: break
    }
    var start = 0
    var status = 200
    if let range, !ignoresRange, condition == fields.first?.value, let from = Int(range.dropFirst(6).dropLast()) {
      start = from
      status = 206
      if case .wrongRange = fault { start = 0 }
      if case .otherTag = fault { fields[0].value = "\"other\"" }
      fields.append(("Content-Range", "bytes \(start)-\(bytes.count - 1)/\(bytes.count)"))
    }
    fields.append(("Content-Length", "\(bytes.count - start)"))
    let response = TransportResponse(status: status, fields: fields)
    let whole = bytes[start...]
    if let holdAt {
      try send(whole.prefix(holdAt), response, receive)
      // The download is told to stop by throwing into the next piece.
      while !state.withLock({ $0.isReleased }) {
        try receive(response, UnsafeRawBufferPointer(start: nil, count: 0))
        usleep(1000)
      }
      try send(whole.dropFirst(holdAt), response, receive)
      return response
    }
    try send(whole.prefix(limit), response, receive)
    if limit < whole.count { throw .network("The connection ended.", isTransient: true) }
    return response
  }

  private func send(
    _ bytes: ArraySlice<UInt8>, _ response: TransportResponse,
    _ receive: (TransportResponse, UnsafeRawBufferPointer) throws(ManagedBackgroundAssetsError) -> Void
  ) throws(ManagedBackgroundAssetsError) {
    var rest = bytes
    while !rest.isEmpty {
      let piece = Array(rest.prefix(16_000))
      rest = rest.dropFirst(piece.count)
      state.withLock { $0.bytesSent += piece.count }
      try piece.withUnsafeBufferPointer { buffer throws(ManagedBackgroundAssetsError) in
        try receive(response, UnsafeRawBufferPointer(buffer))
      }
    }
  }
}
