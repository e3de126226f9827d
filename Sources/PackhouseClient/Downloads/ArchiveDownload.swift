import HTTPClient
import SystemIO

/// Brings a pack's archive here: continues what is there, tries again after what passes, checks length and SHA-256.
struct ArchiveDownload {
  let pack: AssetPack
  let transport: GuardedTransport
  let configuration: ClientConfiguration
  let control: DownloadControl
  /// Gets the bytes that are here.
  let progress: (Int64) -> Void

  /// Fills `partial`; the SHA-256 when one was checked.
  func run(_ partial: PartialDownload) throws(ManagedBackgroundAssetsError) -> String? {
    var backoff = Backoff(first: configuration.firstPause)
    var attempt = 1
    while true {
      let start = partial.length
      let wasResumed = partial.isResumed
      let failure: ManagedBackgroundAssetsError
      do throws(ManagedBackgroundAssetsError) { return try once(partial) } catch { failure = error }
      try control.check()
      // Bytes that were continued may be wrong for what was there before; those of one answer are the server's own.
      if case .wrongDigest = failure, wasResumed { continue }
      // An attempt that brought new bytes does not count as failed: a long download over a bad line goes on.
      if partial.length > start, configuration.attempts > 1 {
        attempt = 1
        backoff.reset()
      } else {
        attempt += 1
      }
      guard failure.isTransient, attempt <= max(1, configuration.attempts), let pause = backoff.next(after: failure)
      else { throw failure }
      wait(pause)
      try control.check()
    }
  }

  /// Waits, with a look at the control in between.
  private func wait(_ pause: Duration) {
    let deadline = ContinuousClock.now + pause
    while !control.isStopped, .now < deadline { ClientPause.wait(min(.milliseconds(50), deadline - .now)) }
  }

  private func once(_ partial: PartialDownload) throws(ManagedBackgroundAssetsError) -> String? {
    progress(partial.length)
    if partial.length < pack.downloadSize || pack.downloadSize == 0 { try fill(partial) }
    guard partial.length == pack.downloadSize else {
      throw .wrongLength(pack: pack.id, expected: pack.downloadSize, found: partial.length)
    }
    guard let expected = pack.sha256 ?? digest(from: partial.validator) else { return nil }
    let found: String
    do throws(SystemFailure) {
      found = try partial.sha256()
      if found != expected { try partial.restart(validator: nil) }
    } catch { throw ManagedBackgroundAssetsError(error) }
    guard found == expected else { throw .wrongDigest(pack: pack.id, expected: expected, found: found) }
    return found
  }

  /// The digest that an entity tag is, when it reads like one.
  private func digest(from tag: String?) -> String? {
    guard configuration.trustsEntityTagDigests, let tag, tag.utf8.count == 66, tag.hasPrefix("\""), tag.hasSuffix("\"")
    else { return nil }
    let text = tag.dropFirst().dropLast()
    return text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) } ? String(text) : nil
  }

  /// Asks for the bytes that are missing, and appends them.
  private func fill(_ partial: PartialDownload) throws(ManagedBackgroundAssetsError) {
    var request = TransportRequest(url: pack.url)
    if partial.length > 0, let validator = partial.validator {
      request.fields = [("Range", "bytes=\(partial.length)-"), ("If-Range", validator)]
    }
    var isChecked = false
    do throws(ManagedBackgroundAssetsError) {
      let response = try transport.get(request) { response, bytes throws(ManagedBackgroundAssetsError) in
        try control.check()
        if !isChecked {
          isChecked = true
          try begin(response, partial)
        }
        guard Int64(bytes.count) <= pack.downloadSize - partial.length else {
          throw .wrongLength(pack: pack.id, expected: pack.downloadSize, found: partial.length + Int64(bytes.count))
        }
        try onDisk(try partial.append(bytes))
        progress(partial.length)
      }
      if !isChecked { try begin(response, partial) }
    } catch {
      // Bytes that do not fit what the server has now are dropped, so that the next attempt starts again.
      switch error {
      case .wrongRange, .wrongLength:
        try onDisk(try partial.restart(validator: nil))
      default: break
      }
      throw error
    }
  }

  /// Looks at the head of the answer before its first byte is kept.
  private func begin(
    _ response: TransportResponse, _ partial: PartialDownload
  ) throws(ManagedBackgroundAssetsError) {
    if response.status == 206 {
      let expected = "bytes \(partial.length)-\(pack.downloadSize - 1)/\(pack.downloadSize)"
      let found = response["Content-Range"] ?? ""
      // A server may ignore If-Range; its tag then tells (RFC 9110 section 15.3.7).
      let tag = response["ETag"]
      let isOther = tag != nil && partial.validator?.hasPrefix("\"") == true && tag != partial.validator
      guard partial.length > 0, found == expected, !isOther else {
        throw .wrongRange(pack: pack.id, contentRange: found)
      }
      return
    }
    guard response.status == 200 else {
      if response.status == 416 { throw .wrongRange(pack: pack.id, contentRange: response["Content-Range"] ?? "") }
      throw .status(response.status, url: pack.url, retryAfter: response.retryAfter)
    }
    if let length = response["Content-Length"].flatMap({ Int64($0) }), length != pack.downloadSize {
      throw .wrongLength(pack: pack.id, expected: pack.downloadSize, found: length)
    }
    let tag = response["ETag"].flatMap { $0.hasPrefix("\"") ? $0 : nil }
    try onDisk(try partial.restart(validator: tag ?? response["Last-Modified"]))
  }
}
