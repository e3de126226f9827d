import HTTPClient
import SystemIO
import TLS

/// Fetches manifests and packs over HTTPS, with calls that wait. For one thread at a time.
public final class AssetPackDownloader {
  private let client: HTTPSClient
  private let attempts: Int
  private let firstPause: Duration

  /// The longest manifest that is read, in bytes.
  public static let manifestLimit = 16 << 20

  /// - Parameters:
  ///   - authorities: PEM text of the authorities to trust instead of the machine's own.
  ///   - attempts: how often a download is tried, from 1; each attempt continues where the last one broke off.
  ///   - firstPause: the wait before the second attempt; it doubles from then on.
  public init(
    authorities: [UInt8]? = nil, attempts: Int = 5, firstPause: Duration = .milliseconds(500)
  ) throws(PackhouseClientFailure) {
    let trust = authorities.map { ClientTLS.Trust.only(PEMText(file: "the given authorities", bytes: $0)) }
    do throws(TLSFailure) {
      client = HTTPSClient(tls: try ClientTLS(trust: trust ?? .system), userAgent: "PackhouseClient")
    } catch { throw .network(error.sentence, isTransient: false) }
    self.attempts = max(1, attempts)
    self.firstPause = firstPause
  }

  /// Fetches and decodes the download manifest at `url`.
  public func catalog(at url: String) throws(PackhouseClientFailure) -> AssetPackCatalog {
    let answer: (response: ClientResponse, body: [UInt8])
    do throws(HTTPClientFailure) {
      var request = ClientRequest("GET", try HTTPSURL(url), fields: [("Accept", "application/json")])
      request.redirectLimit = 5
      answer = try client.collect(request, limit: Self.manifestLimit)
    } catch { throw PackhouseClientFailure(error) }
    guard answer.response.status == 200 else { throw .status(answer.response.status, url: url) }
    return try AssetPackCatalog(manifest: answer.body)
  }

  /// Downloads the pack's archive to the file `path`, which appears, or is replaced, only when it is whole: the
  /// length is the manifest's, and so is the SHA-256 when the manifest has one.
  ///
  /// What an earlier call left in `path.partial` is continued when the server still has the same bytes (RFC 9110
  /// section 13.1.5). `progress` gets the bytes that are there, out of `pack.downloadSize`.
  public func download(
    _ pack: AssetPack, to path: String, progress: (Int64) -> Void = { _ in }
  ) throws(PackhouseClientFailure) {
    var pause = firstPause
    var attempt = 1
    while true {
      do throws(PackhouseClientFailure) {
        return try downloadOnce(pack, to: path, progress)
      } catch {
        switch error {
        case .network(_, true), .wrongRange: if attempt >= attempts { throw error }
        default: throw error
        }
      }
      attempt += 1
      ClientPause.wait(pause)
      pause = pause * 2
    }
  }

  private func downloadOnce(
    _ pack: AssetPack, to path: String, _ progress: (Int64) -> Void
  ) throws(PackhouseClientFailure) {
    var partial: PartialDownload
    do throws(SystemFailure) { partial = try PartialDownload.open(pack, destination: path) } catch {
      throw PackhouseClientFailure(error)
    }
    if partial.length < pack.downloadSize || pack.downloadSize == 0 { try fill(&partial, pack, progress) }
    guard partial.length == pack.downloadSize else {
      throw .wrongLength(pack: pack.id, expected: pack.downloadSize, found: partial.length)
    }
    if let expected = pack.sha256 {
      let found = try partial.sha256()
      guard found == expected else {
        do throws(SystemFailure) { try partial.discard() } catch { throw PackhouseClientFailure(error) }
        throw .wrongDigest(pack: pack.id, expected: expected, found: found)
      }
    }
    do throws(SystemFailure) { try partial.finish() } catch { throw PackhouseClientFailure(error) }
  }

  /// Asks for the bytes that are missing, and appends them.
  private func fill(
    _ partial: inout PartialDownload, _ pack: AssetPack, _ progress: (Int64) -> Void
  ) throws(PackhouseClientFailure) {
    var request: ClientRequest
    do throws(HTTPClientFailure) { request = ClientRequest("GET", try HTTPSURL(pack.url)) } catch {
      throw PackhouseClientFailure(error)
    }
    request.redirectLimit = 5
    let start = partial.length
    if start > 0, let tag = partial.entityTag {
      request.fields = [("Range", "bytes=\(start)-"), ("If-Range", tag)]
    }
    // The sink can throw HTTP failures only, so the others wait here until the exchange has ended.
    var refusal: PackhouseClientFailure?
    var isChecked = false
    do throws(HTTPClientFailure) {
      let response = try client.perform(request) { response, bytes throws(HTTPClientFailure) in
        if !isChecked {
          isChecked = true
          refusal = try Self.begin(response, &partial, pack)
        }
        guard refusal == nil else { throw .responseTooLarge(response.url.label, limit: 0) }
        guard Int64(bytes.count) <= pack.downloadSize - partial.length else {
          refusal = .wrongLength(
            pack: pack.id, expected: pack.downloadSize, found: partial.length + Int64(bytes.count))
          throw .responseTooLarge(response.url.label, limit: 0)
        }
        do throws(SystemFailure) { try partial.append(bytes) } catch { throw .system(error) }
        progress(partial.length)
      }
      if !isChecked { refusal = try Self.begin(response, &partial, pack) }
    } catch {
      guard refusal == nil else { return try Self.refuse(refusal, &partial) }
      throw PackhouseClientFailure(error)
    }
    try Self.refuse(refusal, &partial)
  }

  /// Looks at the head of the answer before its first byte is kept; nil when it is what was asked for.
  private static func begin(
    _ response: ClientResponse, _ partial: inout PartialDownload, _ pack: AssetPack
  ) throws(HTTPClientFailure) -> PackhouseClientFailure? {
    if response.status == 206 {
      let expected = "bytes \(partial.length)-\(pack.downloadSize - 1)/\(pack.downloadSize)"
      let found = response["Content-Range"] ?? ""
      return partial.length > 0 && found == expected ? nil : .wrongRange(pack: pack.id, contentRange: found)
    }
    guard response.status == 200 else {
      if response.status == 416 { return .wrongRange(pack: pack.id, contentRange: response["Content-Range"] ?? "") }
      if response.status >= 500 || response.status == 429 {
        return .network("\(response.url) was answered with status \(response.status).", isTransient: true)
      }
      return .status(response.status, url: "\(response.url)")
    }
    if let length = response["Content-Length"].flatMap({ Int64($0) }), length != pack.downloadSize {
      return .wrongLength(pack: pack.id, expected: pack.downloadSize, found: length)
    }
    do throws(SystemFailure) { try partial.restart(entityTag: response["ETag"]) } catch { throw .system(error) }
    return nil
  }

  /// Throws `refusal`. Bytes that do not fit what the server has now are deleted, so that the next call starts anew.
  private static func refuse(
    _ refusal: PackhouseClientFailure?, _ partial: inout PartialDownload
  ) throws(PackhouseClientFailure) {
    guard let refusal else { return }
    switch refusal {
    case .wrongRange, .wrongLength:
      do throws(SystemFailure) { try partial.restart(entityTag: nil) } catch { throw PackhouseClientFailure(error) }
    default: break
    }
    throw refusal
  }
}
