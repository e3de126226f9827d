import HTTPCore
import PackStore

/// All that devices get, as of one moment. Never changed: a publish makes a new one, and every loop swaps
/// one reference.
package final class Snapshot: Sendable {
  let paths: ByteKeyTable
  let resources: [AppResource]
  let hosts: HostTable
  let development: DevelopmentManifest?
  /// Open files by hash, which the next snapshot takes over.
  let blobs: [String: OpenBlob]
  /// What is wrong with blobs, for the log: one sentence each.
  package let faults: [String]

  init(
    paths: ByteKeyTable, resources: [AppResource], hosts: HostTable, development: DevelopmentManifest?,
    blobs: [String: OpenBlob], faults: [String]
  ) {
    self.paths = paths
    self.resources = resources
    self.hosts = hosts
    self.development = development
    self.blobs = blobs
    self.faults = faults
  }

  /// The answer to one request. On the paths of devices nothing is allocated here.
  package func respond(_ request: RequestView) -> ResponsePlan {
    let permission = hosts.permission(request.authority)
    if permission.isEmpty { return .message(Refusal.misdirected) }
    if let found = find(request.path) {
      guard hosts.allows(permission, app: found.app) else { return .message(Refusal.misdirected) }
      guard request.head.method == .get || request.head.method == .head else {
        return .message(Refusal.method(request))
      }
      switch found.resource {
      case .pack(let representation):
        return .representation(representation, Preconditions.select(request, representation))
      case .manifest(let set):
        guard let representation = set.representation(for: request) else { return .message(Refusal.noPack) }
        return .representation(representation, Preconditions.select(request, representation))
      case .damaged:
        return .message(Refusal.damaged)
      }
    }
    if let development, development.isMeant(request.path) {
      guard hosts.allows(permission, app: development.app) else { return .message(Refusal.misdirected) }
      guard request.head.method == .get || request.head.method == .head else {
        return .message(Refusal.method(request))
      }
      guard let representation = development.representation(for: request) else { return .message(Refusal.noPack) }
      return .representation(representation, Preconditions.select(request, representation))
    }
    return .message(Refusal.notFound)
  }

  private func find(_ path: UnsafeRawBufferPointer) -> AppResource? {
    if let place = paths.lookup(path) { return resource(place) }
    // A client may have encoded what needs no encoding.
    guard path.count <= 1024, path.contains(UInt8(ascii: "%")) else { return nil }
    guard let decoded = PercentCoding.decode(path) else { return nil }
    return decoded.withUnsafeBytes { paths.lookup($0) }.flatMap { resource($0) }
  }

  private func resource(_ place: Int32) -> AppResource? {
    guard let index = Int(exactly: place), index >= 0, index < resources.count else { return nil }
    return resources[index]
  }
}
