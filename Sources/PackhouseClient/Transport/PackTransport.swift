import HTTPClient

/// How bytes come from a server. `HTTPSTransport` is the one for Linux; on other platforms the system's loading can
/// stand behind the same call.
///
/// What an implementation must do:
/// - Calls wait, on the caller's thread, and may come from several threads at once.
/// - https only. The certificate is verified; one that is not trusted is `.certificate`.
/// - A redirect is not followed: its answer is returned as any other, because the client must check the next host
///   against the allow-list first.
/// - `receive` gets the body in order, with the head of the answer each time, on the caller's thread. When it throws,
///   the exchange ends and that error is thrown. Bytes are as they were sent: no content coding is asked for.
/// - A body that ends before its announced length is `.network` with `isTransient`.
public protocol PackTransport: Sendable {
  /// Sends a GET request and comes back at the end of the answer, with its head.
  func get(
    _ request: TransportRequest,
    receive: (TransportResponse, UnsafeRawBufferPointer) throws(ManagedBackgroundAssetsError) -> Void
  ) throws(ManagedBackgroundAssetsError) -> TransportResponse
}

/// A GET request.
public struct TransportRequest: Sendable {
  /// Absolute, https.
  public var url: String
  /// Besides those that every request has.
  public var fields: [(name: String, value: String)]

  public init(url: String, fields: [(name: String, value: String)] = []) {
    self.url = url
    self.fields = fields
  }
}

/// The head of an answer.
public struct TransportResponse: Sendable {
  public let status: Int
  /// In the order they came.
  public let fields: [(name: String, value: String)]

  public init(status: Int, fields: [(name: String, value: String)]) {
    self.status = status
    self.fields = fields
  }

  /// The first field of that name, in any letter case.
  public subscript(_ name: String) -> String? {
    let wanted = name.lowercased()
    return fields.first { $0.name.lowercased() == wanted }?.value
  }
}

/// A transport that asks allowed hosts only, and follows redirects to allowed hosts.
struct GuardedTransport: Sendable {
  let transport: any PackTransport
  let hosts: AllowedHosts

  static let redirectLimit = 5

  /// The answer, after redirects. `receive` does not get the bodies of redirects.
  func get(
    _ request: TransportRequest,
    receive: (TransportResponse, UnsafeRawBufferPointer) throws(ManagedBackgroundAssetsError) -> Void
  ) throws(ManagedBackgroundAssetsError) -> TransportResponse {
    var request = request
    for _ in 0...Self.redirectLimit {
      let url = try Self.url(request.url)
      try hosts.check(url.host)
      let response = try transport.get(request) { response, bytes throws(ManagedBackgroundAssetsError) in
        if !Self.isRedirect(response) { try receive(response, bytes) }
      }
      guard Self.isRedirect(response) else { return response }
      let location = response["Location"] ?? ""
      guard let next = try? url.resolving(location) else {
        throw .network(HTTPClientFailure.badRedirect(request.url, location: location).sentence, isTransient: false)
      }
      request.url = next.description
    }
    throw .network(
      HTTPClientFailure.tooManyRedirects(request.url, limit: Self.redirectLimit).sentence, isTransient: false)
  }

  private static func url(_ text: String) throws(ManagedBackgroundAssetsError) -> HTTPSURL {
    do throws(HTTPClientFailure) { return try HTTPSURL(text) } catch { throw ManagedBackgroundAssetsError(error) }
  }

  private static func isRedirect(_ response: TransportResponse) -> Bool {
    [301, 302, 303, 307, 308].contains(response.status)
  }
}
