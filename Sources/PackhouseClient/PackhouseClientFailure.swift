import HTTPClient
import JSONText
import SystemIO
import TLS

/// Why a manifest or a pack could not be fetched. `sentence` is the whole message for a person.
public enum PackhouseClientFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// The exchange did not come to an answer; the text says why. `isTransient`: the same call may go through later.
  case network(String, isTransient: Bool)
  /// The server answered with another status than the one expected.
  case status(Int, url: String)
  /// The manifest is not one; the text says what is wrong and where.
  case malformedManifest(String)
  /// The server offers another number of bytes than the manifest says.
  case wrongLength(pack: String, expected: Int64, found: Int64)
  /// The bytes are not those that the manifest announces. They have been deleted.
  case wrongDigest(pack: String, expected: String, found: String)
  /// The answer about a range does not fit what was asked for.
  case wrongRange(pack: String, contentRange: String)
  /// A file could not be read or written.
  case file(String)

  public var description: String { sentence }

  /// What was wrong, where, what was expected and what to do.
  public var sentence: String {
    switch self {
    case .network(let text, _), .file(let text): text
    case .status(let status, let url): "\(url) was answered with status \(status); expected 200."
    case .malformedManifest(let text): "The manifest cannot be used: \(text)."
    case .wrongLength(let pack, let expected, let found):
      "The server offers \(found) bytes for the pack \(pack); its manifest says \(expected)."
    case .wrongDigest(let pack, let expected, let found):
      "The pack \(pack) has the SHA-256 \(found); its manifest says \(expected). The download was deleted."
    case .wrongRange(let pack, let contentRange):
      "The server answered a range of the pack \(pack) with \"\(contentRange)\", which was not asked for."
    }
  }

  init(_ failure: HTTPClientFailure) {
    switch failure {
    case .system(let inner): self.init(inner)
    default: self = .network(failure.sentence, isTransient: failure.isTransient)
    }
  }

  init(_ failure: SystemFailure) { self = .file(failure.sentence) }
}
