import HTTPCore
import PackStore

/// All that devices get, as of one moment. Immutable: a publish makes a new one, and every loop swaps one reference.
package final class Snapshot: Sendable {
  /// The apps' places by bundle id.
  private let apps: ByteKeyTable
  let servedApps: [ServedApp]
  /// The same order.
  let state: LiveState
  let hosts: HostTable
  let development: DevelopmentManifest?
  let openBlobs: OpenBlobs
  /// What is wrong with blobs, for the log: one sentence each.
  package let faults: [String]

  init(
    state: LiveState, servedApps: [ServedApp], hosts: HostTable, development: DevelopmentManifest?,
    openBlobs: OpenBlobs,
    seed: UInt64
  ) {
    self.state = state
    self.servedApps = servedApps
    self.hosts = hosts
    self.development = development
    self.openBlobs = openBlobs
    apps = ByteKeyTable(
      state.apps.enumerated().map { (Array($1.bundleID.utf8), Int32(truncatingIfNeeded: $0)) }, seed: seed)
    faults = servedApps.flatMap(\.faults)
  }

  /// How many files are open.
  package var openFiles: Int { openBlobs.openCount }

  /// How many files are not open yet.
  package var closedFiles: Int { servedApps.reduce(0) { $0 + $1.closedCount } }

  /// The answer to one request. On the paths of devices nothing is allocated here.
  package func respond(_ request: RequestView) -> ResponsePlan {
    let permission = hosts.permission(request.authority)
    if permission.isEmpty { return .message(PlainAnswer.misdirected) }
    if let (app, resource) = find(request.path) {
      guard hosts.allows(permission, app: app) else { return .message(PlainAnswer.misdirected) }
      guard request.head.method == .get || request.head.method == .head else {
        return .message(PlainAnswer.method(request))
      }
      switch resource {
      case .pack(let representation):
        return .representation(representation, Preconditions.select(request, representation))
      case .track(let manifests):
        switch manifests.find(request) {
        case .representation(let representation):
          return .representation(representation, Preconditions.select(request, representation))
        case .noPack: return .message(PlainAnswer.noPack)
        case .noLane: return .message(PlainAnswer.noLane)
        }
      case .lane(let set):
        guard let representation = set.representation(for: request) else { return .message(PlainAnswer.noPack) }
        return .representation(representation, Preconditions.select(request, representation))
      case .unopened(let pack):
        guard let representation = try? pack.open() else { return .message(PlainAnswer.damaged) }
        return .representation(representation, Preconditions.select(request, representation))
      case .damaged:
        return .message(PlainAnswer.damaged)
      }
    }
    if let development, development.isMeant(request.path) {
      guard hosts.allows(permission, app: development.app) else { return .message(PlainAnswer.misdirected) }
      guard request.head.method == .get || request.head.method == .head else {
        return .message(PlainAnswer.method(request))
      }
      guard let representation = development.representation(for: request) else { return .message(PlainAnswer.noPack) }
      return .representation(representation, Preconditions.select(request, representation))
    }
    return .message(PlainAnswer.isLane(request.path) ? PlainAnswer.noLane : PlainAnswer.notFound)
  }

  private func find(_ path: UnsafeRawBufferPointer) -> (app: Int, resource: ServedResource)? {
    if let found = lookup(path) { return found }
    // A client may have percent-encoded what needs no encoding.
    guard path.count <= 1024, path.contains(UInt8(ascii: "%")) else { return nil }
    guard let decoded = PercentCoding.decode(path) else { return nil }
    return decoded.withUnsafeBytes { lookup($0) }
  }

  /// `/apps/<bundle id>/…`
  private func lookup(_ path: UnsafeRawBufferPointer) -> (app: Int, resource: ServedResource)? {
    let prefix: StaticString = "/apps/"
    let start = prefix.utf8CodeUnitCount
    guard path.count > start, (0..<start).allSatisfy({ path[$0] == prefix.utf8Start[$0] }) else { return nil }
    var end = start
    while end < path.count, path[end] != UInt8(ascii: "/") { end += 1 }
    guard end < path.count, let place = apps.lookup(UnsafeRawBufferPointer(rebasing: path[start..<end])),
      let app = Int(exactly: place), app < servedApps.count,
      let resource = servedApps[app].find(UnsafeRawBufferPointer(rebasing: path[(end + 1)...]))
    else { return nil }
    return (app, resource)
  }
}
