import HTTPClient
import Synchronization
import TLS

/// Bytes over HTTP/1.1 and TLS 1.2 or 1.3, with connections that are used again.
public final class HTTPSTransport: PackTransport {
  private let tls: ClientTLS
  private let patience: ClientPatience
  private let idle = Mutex<[PooledClient]>([])

  /// A client on its way from one thread to the next.
  ///
  /// `@unchecked Sendable`: it is either in the pool, where nobody uses it, or with the one thread that took it out.
  private final class PooledClient: @unchecked Sendable {
    let client: HTTPSClient
    init(_ client: HTTPSClient) { self.client = client }
  }

  /// - Parameters:
  ///   - authorities: PEM text of the authorities to trust instead of the machine's own.
  ///   - noProgress: how long a connection may stand still.
  public init(authorities: [UInt8]? = nil, noProgress: Duration = .seconds(30)) throws(ManagedBackgroundAssetsError) {
    let trust = authorities.map { ClientTLS.Trust.only(PEMText(file: "the given authorities", bytes: $0)) }
    do throws(TLSFailure) { tls = try ClientTLS(trust: trust ?? .system) } catch {
      throw ManagedBackgroundAssetsError(error)
    }
    patience = ClientPatience(noProgress: noProgress)
  }

  public func get(
    _ request: TransportRequest,
    receive: (TransportResponse, UnsafeRawBufferPointer) throws(ManagedBackgroundAssetsError) -> Void
  ) throws(ManagedBackgroundAssetsError) -> TransportResponse {
    let pooled =
      idle.withLock { $0.popLast() }
      ?? PooledClient(HTTPSClient(tls: tls, patience: patience, userAgent: "PackhouseClient"))
    // The sink can throw HTTP failures only, so the others wait here until the exchange has ended.
    var refusal: ManagedBackgroundAssetsError?
    var head: TransportResponse?
    let response: ClientResponse
    do throws(HTTPClientFailure) {
      let url = try HTTPSURL(request.url)
      response = try pooled.client.perform(ClientRequest("GET", url, fields: request.fields)) {
        answer, bytes throws(HTTPClientFailure) in
        let known = head ?? TransportResponse(status: answer.status, fields: answer.fields)
        head = known
        do throws(ManagedBackgroundAssetsError) { try receive(known, bytes) } catch {
          refusal = error
          throw .responseTooLarge(url.label, limit: 0)
        }
      }
    } catch { throw refusal ?? ManagedBackgroundAssetsError(error) }
    idle.withLock { if $0.count < 8 { $0.append(pooled) } }
    return head ?? TransportResponse(status: response.status, fields: response.fields)
  }
}
