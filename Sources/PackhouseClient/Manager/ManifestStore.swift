import Digests
import HTTPClient
import JSONText
import SystemIO

/// The manifest: fetched when asked, kept for the times without a server.
struct ManifestStore: Sendable {
  let cache: PackCache
  let transport: GuardedTransport
  let configuration: ClientConfiguration

  /// The longest manifest that is read, in bytes.
  static let limit = 16 << 20

  /// Asks the server, and keeps what it says. A manifest that cannot be used changes nothing.
  func fetch() throws(ManagedBackgroundAssetsError) -> AssetPackCatalog {
    var backoff = Backoff(first: configuration.firstPause)
    var attempt = 1
    while true {
      let failure: ManagedBackgroundAssetsError
      do throws(ManagedBackgroundAssetsError) { return try once() } catch { failure = error }
      guard failure.isTransient, attempt < max(1, configuration.attempts), let pause = backoff.next(after: failure)
      else { throw failure }
      attempt += 1
      ClientPause.wait(pause)
    }
  }

  /// What the server said last; nil when that is not known any more.
  func stored() -> AssetPackCatalog? {
    guard let bytes = try? readFile(cache.layout.manifest, limit: Self.limit) else { return nil }
    return try? AssetPackCatalog(manifest: bytes)
  }

  private func once() throws(ManagedBackgroundAssetsError) -> AssetPackCatalog {
    var request = TransportRequest(url: configuration.manifestURL, fields: [("Accept", "application/json")])
    let known = known()
    if let known { request.fields.append(("If-None-Match", known.entityTag)) }
    var body: [UInt8] = []
    let response = try transport.get(request) { response, bytes throws(ManagedBackgroundAssetsError) in
      guard response.status == 200 else { return }
      guard bytes.count <= Self.limit - body.count else {
        throw .malformedManifest("expected at most \(Self.limit) bytes, found more")
      }
      body.append(contentsOf: bytes)
    }
    if response.status == 304, let known { return try checked(known.catalog) }
    guard response.status == 200 else {
      throw .status(response.status, url: configuration.manifestURL, retryAfter: response.retryAfter)
    }
    let catalog = try checked(AssetPackCatalog(manifest: body))
    try keep(body, entityTag: response["ETag"])
    return catalog
  }

  /// Refuses what would delete everything, unless that is meant.
  private func checked(_ catalog: AssetPackCatalog) throws(ManagedBackgroundAssetsError) -> AssetPackCatalog {
    guard catalog.packs.isEmpty, !configuration.acceptsEmptyManifest else { return catalog }
    let count = try cache.index().packs.count
    guard count == 0 else { throw .emptyManifest(localPacks: count) }
    return catalog
  }

  /// The kept manifest with its tag, when both belong together and to this URL.
  private func known() -> (catalog: AssetPackCatalog, entityTag: String)? {
    guard let text = try? readFile(cache.layout.manifestNote, limit: 1 << 16),
      let note = (try? JSONParser.parse(text))?.root, note["url"]?.string == configuration.manifestURL,
      let tag = note["entityTag"]?.string, let bytes = try? readFile(cache.layout.manifest, limit: Self.limit),
      note["sha256"]?.string == Digest.sha256Text(bytes), let catalog = try? AssetPackCatalog(manifest: bytes)
    else { return nil }
    return (catalog, tag)
  }

  private func keep(_ bytes: [UInt8], entityTag: String?) throws(ManagedBackgroundAssetsError) {
    let note: JSONValue = [
      "url": .string(configuration.manifestURL), "entityTag": .optional(entityTag),
      "sha256": .string(Digest.sha256Text(bytes)),
    ]
    do throws(SystemFailure) {
      let lock = try FileLock.take(cache.layout.lock, .exclusive)
      try AtomicFile.write(bytes, to: cache.layout.manifest)
      try AtomicFile.write(note.serialize(), to: cache.layout.manifestNote)
      withExtendedLifetime(lock) {}
    } catch { throw ManagedBackgroundAssetsError(error) }
  }
}
