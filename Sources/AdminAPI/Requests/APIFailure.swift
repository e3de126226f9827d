import HTTPCore
import JSONText
import PackStore
import SystemIO
import Values

/// A request that is refused: what the client gets to read.
package struct APIFailure: Error, Sendable {
  /// What of the request is at fault (JSON:API `source`).
  package enum Source: Sendable {
    /// A JSON pointer into the body.
    case pointer(String)
    /// The name of a query parameter.
    case parameter(String)
    /// The name of a field of the request's head.
    case header(String)
  }

  package let code: RefusalCode
  /// A sentence: what is wrong, what was expected, what to do.
  package let detail: String
  package let source: Source?
  /// More fields of the answer, such as `Allow`.
  package let fields: [(String, String)]
  /// More faults of the same request, with the same status.
  private(set) var others: [APIFailure] = []

  package init(_ code: RefusalCode, _ detail: String, source: Source? = nil, fields: [(String, String)] = []) {
    self.code = code
    self.detail = detail
    self.source = source
    self.fields = fields
  }

  /// The answer, as a JSON:API error document.
  package var message: Message {
    var fields = self.fields
    if code.status == 503 { fields.append(("Retry-After", "1")) }
    return .json(code.status, ["errors": .array([json] + others.map(\.json))], fields: fields)
  }

  private var json: JSONValue {
    var error: JSONValue = [
      "id": .string((try? randomUUID()) ?? ""),
      "status": .string(String(code.status)),
      "code": .string(code.rawValue),
      "title": .string(code.title),
      "detail": .string(detail),
    ]
    if case .object(var members) = error {
      switch source {
      case .pointer(let pointer): members.set("source", ["pointer": .string(pointer)])
      case .parameter(let name): members.set("source", ["parameter": .string(name)])
      case .header(let name): members.set("source", ["header": .string(name)])
      case nil: break
      }
      error = .object(members)
    }
    return error
  }
}

extension APIFailure {
  /// A body that is not JSON.
  init(_ failure: JSONFailure) {
    self.init(.malformedJSON, "The body is not JSON: \(failure.sentence).")
  }

  /// A body that is JSON, but not what was asked for.
  init(_ failure: JSONShapeFailure) {
    let code: RefusalCode =
      switch failure.kind {
      case .missing: .missingField
      case .wrongType: .wrongType
      case .unknownKey: .unknownField
      case .outOfRange: .valueInvalid
      }
    self.init(code, asSentence(failure.sentence), source: .pointer(failure.path.pointer))
  }

  /// All unknown fields; nil when there are none.
  init?(unknownFields failures: [JSONShapeFailure]) {
    guard let first = failures.first else { return nil }
    self.init(first)
    others = failures.dropFirst().map { APIFailure($0) }
  }

  /// What the store refused. `pointer` is the field of the request that it is about, if one is.
  init(_ failure: StoreFailure, pointer: String? = nil) {
    let source: Source? = failure == .wasChanged ? .header("If-Match") : pointer.map { .pointer($0) }
    let refusal = failure.refusal
    self.init(refusal.code, refusal.sentence, source: source)
  }
}

extension Message {
  /// An answer with a JSON document.
  static func json(_ status: UInt16, _ document: JSONValue, fields: [(String, String)] = []) -> Message {
    var body = document.serialize()
    body.append(UInt8(ascii: "\n"))
    let all = [("Cache-Control", "no-store")] + fields
    return Message(status: status, contentType: "application/json", body: body, fields: all)
  }
}
