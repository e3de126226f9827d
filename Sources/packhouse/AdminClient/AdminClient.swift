import Glibc
import HTTPClient
import JSONText
import SystemIO
import TLS

/// The admin API of a server, as the verbs use it.
final class AdminClient {
  private let base: HTTPSURL
  private let token: String
  private let tls: ClientTLS
  private let client: HTTPSClient

  /// The options that every verb takes which talks to a server.
  static let options: [Verb.Option] = [
    .value("server", "URL", "The admin API, such as https://127.0.0.1:8444 (PACKHOUSE_SERVER)."),
    .value("token", "TOKEN", "An admin token (PACKHOUSE_TOKEN)."),
    .value("ca", "PEM", "The authority that signed the server's certificate (PACKHOUSE_CA, or the system's)."),
  ]

  /// Takes the options, or the environment where they are not given.
  init(_ arguments: Arguments) throws(CommandFailure) {
    let server = try Self.setting(arguments, "server", "PACKHOUSE_SERVER")
    token = try Self.setting(arguments, "token", "PACKHOUSE_TOKEN")
    do throws(HTTPClientFailure) {
      base = try HTTPSURL(server)
    } catch {
      throw CommandFailure(error.sentence, .usage)
    }
    tls = try Self.trust(arguments.value("ca") ?? Self.environment("PACKHOUSE_CA"))
    client = HTTPSClient(tls: tls, userAgent: "packhouse/\(Program.version)")
  }

  private init(base: HTTPSURL, token: String, tls: ClientTLS) {
    self.base = base
    self.token = token
    self.tls = tls
    client = HTTPSClient(tls: tls, userAgent: "packhouse/\(Program.version)")
  }

  /// Another client of the same server, with a connection of its own, for another thread.
  func sibling() -> AdminClient { AdminClient(base: base, token: token, tls: tls) }

  private static func setting(
    _ arguments: Arguments, _ name: String, _ variable: String
  ) throws(CommandFailure) -> String {
    if let value = arguments.value(name) ?? environment(variable), !value.isEmpty { return value }
    throw CommandFailure("--\(name) is missing; pass it, or set \(variable).", .usage)
  }

  private static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  private static func trust(_ path: String?) throws(CommandFailure) -> ClientTLS {
    do {
      guard let path, !path.isEmpty else { return try ClientTLS() }
      return try ClientTLS(trust: .only(PEMText(file: path, bytes: try readFile(path, limit: 1 << 20))))
    } catch let failure as SystemFailure {
      throw CommandFailure(failure.sentence, .noInput)
    } catch let failure as TLSFailure {
      throw CommandFailure(failure.sentence, .dataError)
    } catch {
      throw CommandFailure("\(error)", .software)
    }
  }

  func get(_ path: String, _ query: [(name: String, value: String)] = []) throws(CommandFailure) -> JSONValue {
    try send("GET", path, query, nil)
  }

  func post(_ path: String, _ document: JSONValue) throws(CommandFailure) -> JSONValue {
    try send("POST", path, [], document)
  }

  func patch(_ path: String, _ document: JSONValue) throws(CommandFailure) -> JSONValue {
    try send("PATCH", path, [], document)
  }

  /// Removes a resource; what is answered does not matter.
  func delete(_ path: String) throws(CommandFailure) { _ = try send("DELETE", path, [], nil) }

  /// The resources of a list, page after page, as many as are wanted.
  func list(
    _ path: String, _ query: [(name: String, value: String)] = [], atMost limit: Int = .max
  ) throws(CommandFailure) -> [JSONValue] {
    var found: [JSONValue] = []
    var cursor: String?
    repeat {
      let more = cursor.map { [(name: "cursor", value: $0)] } ?? []
      let page = try get(path, query + [(name: "limit", value: String(min(200, limit - found.count)))] + more)
      found += page["data"]?.array ?? []
      cursor = page["meta"]?["paging"]?["nextCursor"]?.string
    } while cursor != nil && found.count < limit
    return found
  }

  /// Sends the bytes of one part to its signed address. The caller decides what to try again.
  func put(_ url: String, body: RequestBody, moved: @escaping (Int64) -> Void) throws(PartFailure) {
    let answer: (response: ClientResponse, body: [UInt8])
    do throws(HTTPClientFailure) {
      var request = ClientRequest(
        "PUT", try HTTPSURL(url), fields: [(name: "Content-Type", value: "application/octet-stream")], body: body)
      request.onProgress = moved
      answer = try client.collect(request)
    } catch {
      throw PartFailure(CommandFailure(error), mayRetry: error.isTransient)
    }
    let status = answer.response.status
    if !answer.response.isSuccess {
      throw PartFailure(ServerAnswer.failure(status, answer.body), mayRetry: status >= 500 || status == 429)
    }
  }

  private func send(
    _ method: String, _ path: String, _ query: [(name: String, value: String)], _ document: JSONValue?
  ) throws(CommandFailure) -> JSONValue {
    var fields = [(name: "Authorization", value: "Bearer \(token)"), (name: "Accept", value: "application/json")]
    if document != nil { fields.append((name: "Content-Type", value: "application/json")) }
    let url = base.appending(path: path, query: query)
    let body: RequestBody = document.map { .bytes($0.serialize()) } ?? .none
    let answer: (response: ClientResponse, body: [UInt8])
    do throws(HTTPClientFailure) {
      answer = try client.collect(ClientRequest(method, url, fields: fields, body: body))
    } catch {
      throw CommandFailure(error)
    }
    guard answer.response.isSuccess else { throw ServerAnswer.failure(answer.response.status, answer.body) }
    if answer.response.status == 204 { return .null }
    guard let parsed = try? JSONParser.parse(answer.body, dialect: .strict) else {
      throw CommandFailure(
        "\(base.label) answered \(path) with something that is not JSON; is it Packhouse?", .dataError)
    }
    return parsed.root
  }
}

/// Why a part was not taken, and whether it may be sent again.
struct PartFailure: Error {
  let failure: CommandFailure
  let mayRetry: Bool

  init(_ failure: CommandFailure, mayRetry: Bool) {
    self.failure = failure
    self.mayRetry = mayRetry
  }
}

extension CommandFailure {
  init(_ failure: HTTPClientFailure) { self.init(failure.sentence, .unavailable) }
}
