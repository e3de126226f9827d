/// How much an app may store: the sum over its packs of the largest eligible version, all platforms together.
package struct Quota: Equatable, Sendable {
  /// App Store Connect's: 200 GB and 200 packs.
  package static let preset = Quota(.apple)

  /// Where the numbers come from.
  package var preset: QuotaPreset
  package var maximumBytes: Int
  package var maximumPacks: Int
  /// Bytes of the largest pack; nil for no limit.
  package var maximumPackBytes: Int?
  /// Whether what does not fit is refused; otherwise it is only reported.
  package var isEnforced = true

  /// The numbers of a preset.
  package init(_ preset: QuotaPreset) {
    self.preset = preset
    maximumBytes = preset.maximumBytes
    maximumPacks = preset.maximumPacks
    maximumPackBytes = preset.maximumPackBytes
  }

  package init(maximumBytes: Int, maximumPacks: Int) {
    self.init(.custom)
    self.maximumBytes = maximumBytes
    self.maximumPacks = maximumPacks
  }

  /// One version as the quota sees it; a release that does not exist yet is nil.
  package struct Version: Equatable, Sendable {
    package var size: Int
    package var state: VersionState
    package var internalBeta: InternalBetaState?
    package var externalBeta: ExternalBetaState?
    package var production: ProductionState?

    package init(
      size: Int, state: VersionState, internalBeta: InternalBetaState? = nil, externalBeta: ExternalBetaState? = nil,
      production: ProductionState? = nil
    ) {
      self.size = size
      self.state = state
      self.internalBeta = internalBeta
      self.externalBeta = externalBeta
      self.production = production
    }

    /// Complete, and not superseded on all three tracks.
    package var isEligible: Bool {
      let isSuperseded = internalBeta == .superseded && externalBeta == .superseded && production == .superseded
      return state == .complete && !isSuperseded
    }
  }

  /// Why something does not fit.
  package enum Refusal: Error, Equatable, Sendable {
    case bytes(needed: Int, free: Int, maximum: Int)
    case packs(maximum: Int)
    /// One pack is larger than the preset allows.
    case packBytes(needed: Int, maximum: Int)
    /// All apps together.
    case server(needed: Int, free: Int, maximum: Int)

    package var sentence: String {
      switch self {
      case .bytes(let needed, let free, let maximum):
        "the upload needs \(needed) bytes and \(free) of the app's \(maximum) are free; "
          + "archive packs or let older versions be superseded"
      case .packs(let maximum): "the app has its \(maximum) asset packs already; archive one first"
      case .packBytes(let needed, let maximum):
        "the upload needs \(needed) bytes and the app's quota allows \(maximum) for a pack; split the pack"
      case .server(let needed, let free, let maximum):
        "the upload needs \(needed) bytes and \(free) of the server's \(maximum) are free; "
          + "archive packs, or raise quota.serverBytes"
      }
    }
  }

  /// The bytes that one pack counts for: its largest eligible version's.
  package static func usedBytes(ofPack versions: some Sequence<Version>) -> Int {
    versions.lazy.filter(\.isEligible).map(\.size).max() ?? 0
  }

  /// The bytes that an app's packs (archived ones left out) count for; at most `Int.max`.
  package static func usedBytes(ofPacks packs: some Sequence<[Version]>) -> Int {
    packs.reduce(0) { saturatingSum($0, usedBytes(ofPack: $1)) }
  }

  /// Checks an upload. Bytes that are reserved by uploads in flight count in full.
  /// - Throws: `Refusal.bytes` when one byte of it would be beyond the limit, `Refusal.packBytes`.
  package func admit(upload: Int, used: Int, reserved: Int) throws(Refusal) {
    guard isEnforced else { return }
    if let maximumPackBytes, upload > maximumPackBytes {
      throw .packBytes(needed: upload, maximum: maximumPackBytes)
    }
    let taken = Self.saturatingSum(max(0, used), max(0, reserved))
    let free = max(0, maximumBytes - taken)
    guard upload <= free else { throw .bytes(needed: upload, free: free, maximum: maximumBytes) }
  }

  /// Checks one more pack beside `existing` ones.
  /// - Throws: `Refusal.packs`
  package func admitPack(existing: Int) throws(Refusal) {
    guard !isEnforced || existing < maximumPacks else { throw .packs(maximum: maximumPacks) }
  }

  /// Whether at least 80 % of the bytes are used: the point at which it is reported.
  package func isNearlyFull(used: Int) -> Bool { used >= Self.warningBytes(of: maximumBytes) }

  /// The first number of bytes that is nearly full.
  package static func warningBytes(of maximum: Int) -> Int { maximum - maximum / 5 }

  private static func saturatingSum(_ a: Int, _ b: Int) -> Int {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? .max : sum
  }
}

/// Named limits of what an app may store. The numbers are decimal, as Apple writes them.
///
/// `apple` is App Store Connect's for asset packs; the `odr` ones are those of On-Demand Resources, which a private
/// server never had: they are for apps that want to stay within what Apple would host.
package enum QuotaPreset: String, CaseIterable, Sendable {
  case apple
  /// iOS before 18.
  case odr
  case odrIOS18 = "odr-ios18"
  case odrTVOS = "odr-tvos"
  /// Custom numbers.
  case custom

  /// Bytes of all packs of an app.
  package var maximumBytes: Int {
    switch self {
    case .apple, .custom: 200_000_000_000
    case .odr, .odrTVOS: 20_000_000_000
    case .odrIOS18: 70_000_000_000
    }
  }

  package var maximumPacks: Int {
    switch self {
    case .apple, .custom: 200
    case .odr, .odrIOS18, .odrTVOS: 1000
    }
  }

  /// Bytes of one pack; nil for no limit.
  package var maximumPackBytes: Int? {
    switch self {
    case .apple, .custom: nil
    case .odr, .odrTVOS: 512_000_000
    case .odrIOS18: 8_000_000_000
    }
  }

  /// Bytes of the packs that come with the installation; nil for no limit.
  package var maximumInitialBytes: Int? {
    switch self {
    case .apple, .custom: nil
    case .odr, .odrIOS18, .odrTVOS: 2_000_000_000
    }
  }

  /// Bytes of those and of the prefetched ones together; nil for no limit.
  package var maximumPrefetchedBytes: Int? {
    switch self {
    case .apple, .odrIOS18, .custom: nil
    case .odr, .odrTVOS: 4_000_000_000
    }
  }
}
