import AssetPacks
import Digests
import Foundation
import HTTPCore
import PackStore
import Signatures
import SystemIO
import Synchronization
import TestSupport

@testable import AdminAPI

/// A store with one API key, a clock that a test sets, and tokens that the key signs.
final class SignedTokens {
  static let now: Int64 = 1_800_000_000

  let folder = NSTemporaryDirectory() + "packhouse-access-" + UUID().uuidString
  let store: PackStore
  let key: SigningKey
  let record: APIKeyRecord
  let app: AppRecord
  let authentication: Authentication
  let time = TestNanoseconds()

  init(role: Role = .publisher, issuer: String? = nil) throws {
    var options = StoreOptions(folder: folder, publicBaseURL: "https://packs.example.com")
    options.clock = WallClock { Self.now }
    store = try PackStore(options)
    let actor = Actor(name: "test")
    app = try store.createApp(bundleID: "com.example.game", actor: actor)
    key = try SigningKey()
    record = try store.createAPIKey(
      name: "ci", role: role, app: app.id, publicKey: key.publicPEM, issuer: issuer, actor: actor)
    let time = time
    authentication = Authentication(
      store: store, clock: options.clock, monotonic: MonotonicClock { time.value.withLock { $0 } })
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  var header: String { #"{"alg":"ES256","kid":"\#(record.id)","typ":"JWT"}"# }

  /// Claims that are good, with replacements: a value of nil leaves one out.
  func claims(_ changes: [String: String?] = [:]) -> String {
    var members: [String: String?] = [
      "iat": "\(Self.now)", "exp": "\(Self.now + 1200)", "aud": #""appstoreconnect-v1""#, "iss": #""issuer""#,
    ]
    members.merge(changes) { $1 }
    return "{" + members.compactMap { name, value in value.map { "\"\(name)\":\($0)" } }.joined(separator: ",") + "}"
  }

  /// A token of that text, signed with `key`.
  func token(header: String? = nil, claims: String? = nil, key: SigningKey? = nil) -> String {
    let signed = Self.base64(header ?? self.header) + "." + Self.base64(claims ?? self.claims())
    return signed + "." + Self.base64((key ?? self.key).sign(Array(signed.utf8)))
  }

  static func base64(_ text: String) -> String { base64(Array(text.utf8)) }
  static func base64(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
      .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
  }

  func request(
    _ token: String?, method: RequestMethod = .get, path: String = "/v1/apps", query: String? = nil,
    from address: String = "192.0.2.1"
  ) -> OwnedRequest {
    OwnedRequest(
      method: method, path: path, query: query, fields: token.map { [("Authorization", "Bearer \($0)")] } ?? [],
      remoteAddress: address)
  }

  /// The identity, or the code and detail of the refusal.
  func admit(_ request: OwnedRequest, needed: Role = .viewer) -> Result<TokenIdentity, APIFailure> {
    do {
      return .success(try authentication.admit(request, needed: needed))
    } catch {
      return .failure(error)
    }
  }
}

/// A monotonic clock that a test sets, in nanoseconds.
final class TestNanoseconds: Sendable {
  let value = Mutex<Int64>(0)

  func advance(seconds: Int64) { value.withLock { $0 += seconds * 1_000_000_000 } }
}

extension Result where Failure == APIFailure {
  var code: RefusalCode? {
    if case .failure(let failure) = self { failure.code } else { nil }
  }
  var detail: String {
    if case .failure(let failure) = self { failure.detail } else { "" }
  }
}
