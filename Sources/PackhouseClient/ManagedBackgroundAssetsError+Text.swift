import Glibc
import HTTPClient
import JSONText
import Packing
import SystemIO
import TLS
import Values

extension ManagedBackgroundAssetsError: CustomStringConvertible {
  /// The sentence and the recovery.
  public var description: String { "\(sentence) \(recovery)" }

  /// What was wrong, where, and what was expected.
  public var sentence: String {
    switch self {
    case .assetPackNotFound(let id): "There is no asset pack \(quoted(id))."
    case .fileNotFound(let path): "No asset pack that is here has a file at \(quoted(path))."
    case .sessionDownloadDisallowedByDomain(let host): "The domain allow-list does not have the host \(quoted(host))."
    case .sessionDownloadDisallowedByAllowance(let pack, let size, let allowance):
      "The asset pack \(pack) has \(size) bytes, and \(allowance) are allowed for such downloads."
    case .sessionDownloadAllowanceExceeded(let pack, let size, let left):
      "The asset pack \(pack) has \(size) bytes, and the packs before it left \(left) of the download allowance."
    case .installSizeExceeded(let pack, let left):
      "The asset pack \(pack) unpacks to more than the \(left) bytes that are left of the install size."
    case .onDemandResourceInvalidTag(let tag): "No asset pack carries the tag \(quoted(tag))."
    case .onDemandResourceOutOfSpace(let pack, let size, let budget):
      "The asset pack \(pack) needs \(size) bytes, which what is in use does not leave free in the budget of \(budget)."
    case .malformedManifest(let text): "The manifest cannot be used: \(text)."
    case .emptyManifest(let count):
      "The manifest lists no asset pack at all, which would delete all \(count) that are here; nothing was deleted."
    case .network(let text, _), .certificate(let text), .file(let text), .diskFull(let text): text
    case .status(let status, let url, _): "\(url) was answered with status \(status); expected 200."
    case .wrongLength(let pack, let expected, let found):
      "The server offers \(found) bytes for the asset pack \(pack); its manifest says \(expected)."
    case .wrongDigest(let pack, let expected, let found):
      "The asset pack \(pack) has the SHA-256 \(found); expected \(expected). The download was deleted."
    case .wrongRange(let pack, let contentRange):
      "The server answered a range of the asset pack \(pack) with \(quoted(contentRange)), which was not asked for."
    case .badArchive(let pack, let reason): "The archive of the asset pack \(pack) is refused: \(reason)"
    case .cancelled: "The download was cancelled."
    }
  }

  /// What to do about it.
  public var recovery: String {
    switch self {
    case .assetPackNotFound: "Check the id, or ask for the manifest again: the pack may not be released yet."
    case .fileNotFound: "Make sure that its pack is here before you read it, and check the letters' case."
    case .sessionDownloadDisallowedByDomain:
      "Add the host to BADownloadDomainAllowList, or use one of those."
    case .sessionDownloadDisallowedByAllowance, .sessionDownloadAllowanceExceeded:
      "Raise BADownloadAllowance or BAEssentialDownloadAllowance, or make the pack on demand."
    case .installSizeExceeded: "Raise BAMaxInstallSize or BAEssentialMaxInstallSize, or make the pack smaller."
    case .onDemandResourceInvalidTag: "Put the tag into the pack's userInfo.tags, or name a pack by its id."
    case .onDemandResourceOutOfSpace: "End access to tags that are not needed any more, or raise the disk budget."
    case .malformedManifest: "Packs that are here go on working; correct the manifest on the server."
    case .emptyManifest: "Release at least one pack, or say that an empty manifest is meant."
    case .network(_, let isTransient):
      isTransient ? "Try again; what was downloaded is kept." : "Check the URL and the server."
    case .certificate: "Trust the authority that signed it, renew it, or set this machine's clock."
    case .status(_, _, let pause?): "Try again in \(pause.components.seconds) seconds."
    case .status(let status, _, nil):
      status >= 500 || status == 429 ? "Try again later." : "Check the URL, and that the pack is released."
    case .wrongLength: "Serve what the manifest says, and packs without Content-Encoding."
    case .wrongDigest: "Try again; if it comes again, the server serves other bytes than were released."
    case .wrongRange: "Try again: the download starts over."
    case .badArchive: "Make the pack again and check it with packhouse pack verify."
    case .file: "Check that the cache folder can be read and written."
    case .diskFull: "Make room and try again; what was downloaded is kept."
    case .cancelled: "Start it again when it is wanted; what was downloaded is kept."
    }
  }

  init(_ failure: HTTPClientFailure) {
    switch failure {
    case .system(let inner): self.init(inner)
    case .tls(let inner): self.init(inner)
    default: self = .network(failure.sentence, isTransient: failure.isTransient)
    }
  }

  init(_ failure: TLSFailure) {
    switch failure {
    case .untrusted, .peerExpired, .wrongName, .notPEM: self = .certificate(failure.sentence)
    default: self = .network(failure.sentence, isTransient: HTTPClientFailure.tls(failure).isTransient)
    }
  }

  init(_ failure: SystemFailure) {
    switch failure.code {
    case ENOSPC, EDQUOT, EFBIG: self = .diskFull(failure.sentence)
    default: self = .file(failure.sentence)
    }
  }
}
