/// What a release costs the devices of one platform, in bytes: computed from what its manifest lists before and after.
package struct ReleaseCost: Equatable, Sendable {
  /// A pack in a manifest.
  package struct Pack: Equatable, Sendable {
    package var id: String
    package var version: Int
    /// The archive's length, which is what travels.
    package var downloadSize: Int64
    /// The length of what it unpacks to.
    package var installSize: Int64
    package var policy: PackDownloadPolicy

    package init(id: String, version: Int, downloadSize: Int64, installSize: Int64, policy: PackDownloadPolicy) {
      self.id = id
      self.version = version
      self.downloadSize = downloadSize
      self.installSize = installSize
      self.policy = policy
    }
  }

  /// A number of packs and their bytes.
  package struct Sum: Equatable, Sendable {
    package private(set) var packs = 0
    package private(set) var downloadBytes: Int64 = 0
    package private(set) var installBytes: Int64 = 0

    package init() {}

    package mutating func add(_ pack: Pack) {
      packs += 1
      downloadBytes = Self.saturating(downloadBytes, pack.downloadSize)
      installBytes = Self.saturating(installBytes, pack.installSize)
    }

    private static func saturating(_ a: Int64, _ b: Int64) -> Int64 {
      let (sum, overflow) = a.addingReportingOverflow(b)
      return overflow ? .max : sum
    }
  }

  /// The sums of each download policy.
  package struct ByPolicy: Equatable, Sendable {
    package private(set) var essential = Sum()
    package private(set) var prefetch = Sum()
    package private(set) var onDemand = Sum()

    package init() {}

    package mutating func add(_ pack: Pack) {
      switch pack.policy {
      case .essential: essential.add(pack)
      case .prefetch: prefetch.add(pack)
      case .onDemand: onDemand.add(pack)
      }
    }
  }

  /// All packs of the manifest afterwards.
  package private(set) var total = ByPolicy()
  /// What a new device downloads by itself, and (on demand) what the app may ask for.
  package private(set) var firstInstallation = ByPolicy()
  /// What a device downloads that has all of the manifest before: packs whose version rises, and new ones that come
  /// with an update of the app. On-demand packs only where the app has asked for them.
  package private(set) var update = ByPolicy()
  /// The packs that the manifest gains, by id.
  package private(set) var appearing: [String] = []
  /// The packs that every device downloads again, by id.
  package private(set) var updated: [String] = []
  /// The packs that devices delete, by id.
  package private(set) var disappearing: [String] = []
  /// The packs whose version would fall: devices ignore them.
  package private(set) var falling: [String] = []
  /// The packs whose download policy becomes another one, by id.
  package private(set) var changesPolicy: [String] = []

  package init(before: [Pack], after: [Pack]) {
    var old = Dictionary(before.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    for pack in after.sorted(by: { $0.id < $1.id }) {
      total.add(pack)
      if pack.policy.isFor(.firstInstallation) { firstInstallation.add(pack) }
      guard let previous = old.removeValue(forKey: pack.id) else {
        appearing.append(pack.id)
        if pack.policy != .onDemand, pack.policy.isFor(.subsequentUpdate) { update.add(pack) }
        continue
      }
      if previous.policy.name != pack.policy.name { changesPolicy.append(pack.id) }
      if pack.version > previous.version {
        updated.append(pack.id)
        update.add(pack)
      } else if pack.version < previous.version {
        falling.append(pack.id)
      }
    }
    disappearing = old.keys.sorted()
  }
}

extension PackDownloadPolicy {
  /// Whether the event makes a device download the pack, or (on demand) lets the app do so.
  fileprivate func isFor(_ event: InstallationEventTypes) -> Bool {
    switch self {
    case .essential(let events), .prefetch(let events): events == .both || events == event
    case .onDemand: true
    }
  }
}
