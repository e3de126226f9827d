import Foundation
import HTTPClient
import TLS

/// An answer, with its body as bytes or JSON.
struct Answer {
  let status: Int
  /// Names in lower case.
  let fields: [String: String]
  let body: [UInt8]

  var text: String { String(decoding: body, as: UTF8.self) }
  var json: [String: Any] {
    (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
  }

  /// The `data` of an answer with one resource.
  var resource: APIResource { APIResource(json["data"] as? [String: Any] ?? [:]) }
  var resources: [APIResource] { (json["data"] as? [[String: Any]] ?? []).map(APIResource.init) }

  private var error: [String: Any] { (json["errors"] as? [[String: Any]])?.first ?? [:] }
  /// Of the first error.
  var code: String { error["code"] as? String ?? "" }
  var detail: String { error["detail"] as? String ?? "" }
  var pointer: String? { (error["source"] as? [String: Any])?["pointer"] as? String }
  var parameter: String? { (error["source"] as? [String: Any])?["parameter"] as? String }
}

/// A JSON:API resource.
struct APIResource {
  let json: [String: Any]
  init(_ json: [String: Any]) { self.json = json }

  var id: String { json["id"] as? String ?? "" }
  subscript(_ attribute: String) -> Any? {
    let value = (json["attributes"] as? [String: Any])?[attribute]
    return value is NSNull ? nil : value
  }
  func text(_ attribute: String) -> String? { self[attribute] as? String }
  func number(_ attribute: String) -> Int? { self[attribute] as? Int }
  func list(_ attribute: String) -> [[String: Any]] { self[attribute] as? [[String: Any]] ?? [] }
  /// Codes of `stateDetails`.
  func details(_ level: String) -> [(code: String, description: String)] {
    let all = (self["stateDetails"] as? [String: Any])?[level] as? [[String: Any]] ?? []
    return all.map { ($0["code"] as? String ?? "", $0["description"] as? String ?? "") }
  }
}

/// One client of a daemon, for one thread.
final class WebClient {
  private let client: HTTPSClient
  let base: String

  init(_ base: String, _ tls: ClientTLS) {
    self.base = base
    client = HTTPSClient(tls: tls, patience: ClientPatience(noProgress: .seconds(60)))
  }

  /// Sends a request to a path below the base, or to an absolute URL.
  func send(
    _ method: String, _ target: String, _ fields: [(name: String, value: String)] = [], body: [UInt8]? = nil
  ) throws -> Answer {
    let url = try HTTPSURL(target.hasPrefix("/") ? base + target : target)
    let request = ClientRequest(method, url, fields: fields, body: body.map { .bytes($0) } ?? .none)
    let (response, bytes) = try client.collect(request, limit: 64 << 20)
    var table: [String: String] = [:]
    for field in response.fields { table[field.name.lowercased()] = field.value }
    return Answer(status: response.status, fields: table, body: bytes)
  }

  func get(_ target: String, _ fields: [(name: String, value: String)] = []) throws -> Answer {
    try send("GET", target, fields)
  }
}
