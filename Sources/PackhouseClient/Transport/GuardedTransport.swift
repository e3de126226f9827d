import HTTPClient

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
