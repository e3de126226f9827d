import EventLoop
import TLS

/// A small HTTPS client whose calls wait. It keeps one connection and uses it again while the origin stays the same.
/// For one thread at a time; threads that work side by side have one client each and share the `ClientTLS`.
///
/// Written here because libcurl would bring twelve more libraries into the program, and FoundationNetworking needs it.
package final class HTTPSClient {
  private let tls: ClientTLS
  private let patience: ClientPatience
  private let userAgent: String
  private let admits: AddressRule?
  private var connection: ClientConnection?

  /// Says whether an address may be connected to; asked after the name was looked up.
  package typealias AddressRule = @Sendable (IPAddress) -> Bool

  package init(
    tls: ClientTLS, patience: ClientPatience = ClientPatience(), userAgent: String = "packhouse",
    admits: AddressRule? = nil
  ) {
    self.admits = admits
    self.tls = tls
    self.patience = patience
    self.userAgent = userAgent
  }

  deinit { connection?.close() }

  /// Sends the request and hands the answer's body to `sink` as it arrives, together with the answer's head.
  /// Redirects are followed up to the request's limit; their bodies are dropped.
  ///
  /// A request that failed on a connection that was used before, without the head of an answer, is sent once more on
  /// a new one when doing it twice does no harm (RFC 9110 section 9.2.2).
  package func perform(
    _ request: ClientRequest, sink: (ClientResponse, UnsafeRawBufferPointer) throws(HTTPClientFailure) -> Void
  ) throws(HTTPClientFailure) -> ClientResponse {
    var request = request
    var redirects = 0
    while true {
      let mayRedirect = request.redirectLimit > 0 && (request.method == "GET" || request.method == "HEAD")
      let response = try exchange(request) { response, bytes throws(HTTPClientFailure) in
        if !(mayRedirect && response.isRedirect) { try sink(response, bytes) }
      }
      guard mayRedirect, response.isRedirect else { return response }
      redirects += 1
      guard redirects <= request.redirectLimit else {
        throw .tooManyRedirects(request.url.description, limit: request.redirectLimit)
      }
      let location = response["Location"] ?? ""
      guard let next = try? request.url.resolving(location) else {
        throw .badRedirect(request.url.description, location: location)
      }
      if !next.hasSameOrigin(as: request.url) {
        request.fields.removeAll { ["authorization", "cookie"].contains($0.name.lowercased()) }
      }
      request.url = next
    }
  }

  /// The same, with the body in memory; `.responseTooLarge` beyond `limit` bytes.
  package func collect(
    _ request: ClientRequest, limit: Int = 8 * 1024 * 1024
  ) throws(HTTPClientFailure) -> (response: ClientResponse, body: [UInt8]) {
    var body: [UInt8] = []
    let label = request.url.label
    let response = try perform(request) { _, bytes throws(HTTPClientFailure) in
      guard bytes.count <= limit - body.count else { throw .responseTooLarge(label, limit: limit) }
      body.append(contentsOf: bytes)
    }
    return (response, body)
  }

  private func exchange(
    _ request: ClientRequest, sink: (ClientResponse, UnsafeRawBufferPointer) throws(HTTPClientFailure) -> Void
  ) throws(HTTPClientFailure) -> ClientResponse {
    while true {
      let connection = try connection(to: request.url)
      let wasUsedBefore = connection.exchanges > 0
      do throws(HTTPClientFailure) {
        let response = try connection.exchange(request, userAgent: userAgent, sink: sink)
        if connection.isReusable {
          self.connection = connection
        } else {
          connection.close()
        }
        return response
      } catch {
        guard wasUsedBefore, !connection.hasAnswered, request.isIdempotent, error.isTransient else { throw error }
      }
    }
  }

  /// The kept connection, when it is good for `url`, or a new one. It is not kept while it is in use.
  private func connection(to url: HTTPSURL) throws(HTTPClientFailure) -> ClientConnection {
    if let kept = connection {
      connection = nil
      if kept.origin.hasSameOrigin(as: url), kept.isReady { return kept }
      kept.close()
    }
    return try ClientConnection(to: url, tls: tls, patience: patience, admits: admits)
  }
}
