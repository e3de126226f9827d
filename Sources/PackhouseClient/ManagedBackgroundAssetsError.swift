/// Why something about asset packs could not be done. `sentence` says what was wrong, `recovery` what to do about it.
///
/// The names are those that apps know from devices where a device has the case: `ManagedBackgroundAssetsError` itself,
/// the codes of Background Assets (`deviceCode`), and those of On-Demand Resources.
public enum ManagedBackgroundAssetsError: Error, Equatable, Sendable {
  // Managed Background Assets

  /// The manifest lists no pack with that id, and none is here.
  case assetPackNotFound(withID: String)
  /// No local pack has a file at that path.
  case fileNotFound(at: String)

  // Background Assets

  /// The host is not on the app's domain allow-list. 202 on devices.
  case sessionDownloadDisallowedByDomain(host: String)
  /// The pack alone is larger than the allowance, in compressed bytes. 203 on devices.
  case sessionDownloadDisallowedByAllowance(pack: String, size: Int64, allowance: Int64)
  /// The pack does not fit into what the packs before it left of the allowance, in compressed bytes. 204 on devices.
  case sessionDownloadAllowanceExceeded(pack: String, size: Int64, left: Int64)
  /// Unpacked, the pack is larger than what is left of the install size, in bytes.
  case installSizeExceeded(pack: String, left: Int64)

  // On-Demand Resources

  /// No pack carries the tag.
  case onDemandResourceInvalidTag(String)
  /// The disk budget does not hold the pack, and what is in use is never taken away. Bytes.
  case onDemandResourceOutOfSpace(pack: String, size: Int64, budget: Int64)

  // The manifest

  /// The manifest is not one; the text says what is wrong and where.
  case malformedManifest(String)
  /// The manifest is valid and lists nothing, while `localPacks` packs are here.
  case emptyManifest(localPacks: Int)

  // The network

  /// The exchange did not come to an answer; the text says why. `isTransient`: the same call may go through later.
  case network(String, isTransient: Bool)
  /// The server's certificate is not trusted, or not valid now; the text says why.
  case certificate(String)
  /// The server answered with another status than the one expected, and may have said when to come back.
  case status(Int, url: String, retryAfter: Duration? = nil)

  // The bytes

  /// The server offers another number of bytes than the manifest says.
  case wrongLength(pack: String, expected: Int64, found: Int64)
  /// The bytes are not those that were announced. They have been deleted.
  case wrongDigest(pack: String, expected: String, found: String)
  /// The answer about a range does not fit what was asked for.
  case wrongRange(pack: String, contentRange: String)
  /// The archive breaks a rule; the text says which. It has been deleted.
  case badArchive(pack: String, reason: String)

  // This machine

  /// A file could not be read or written; the text is the whole sentence.
  case file(String)
  /// The file system is full, or a limit on the size of files was met; the text is the whole sentence.
  case diskFull(String)
  /// The work was called off.
  case cancelled
}

extension ManagedBackgroundAssetsError {
  /// The code that devices write into their log for the same thing (BAErrorCode).
  public var deviceCode: Int? {
    switch self {
    case .sessionDownloadDisallowedByDomain: 202
    case .sessionDownloadDisallowedByAllowance: 203
    case .sessionDownloadAllowanceExceeded: 204
    default: nil
    }
  }

  /// Whether the same call may go through a moment later.
  public var isTransient: Bool {
    switch self {
    case .network(_, let isTransient): isTransient
    case .wrongRange: true
    case .status(let status, _, _): status >= 500 || status == 408 || status == 429
    default: false
    }
  }
}
