extension AssetPack {
  /// What is known about a pack: several at once, as on devices.
  public struct Status: OptionSet, Sendable, Hashable, CustomStringConvertible {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The manifest lists it, and no version of it is here.
    public static let downloadAvailable = Status(rawValue: 1 << 0)
    /// The manifest lists a newer version than the one that is here.
    public static let updateAvailable = Status(rawValue: 1 << 1)
    /// The version that is here is the manifest's.
    public static let upToDate = Status(rawValue: 1 << 2)
    /// The version that is here is older than the manifest's.
    public static let outOfDate = Status(rawValue: 1 << 3)
    /// It is here, and the manifest does not list it any more.
    public static let obsolete = Status(rawValue: 1 << 4)
    /// It is being downloaded, or waits for its turn.
    public static let downloading = Status(rawValue: 1 << 5)
    /// Some version of it is here.
    public static let downloaded = Status(rawValue: 1 << 6)

    private static let names: [(Status, String)] = [
      (.downloadAvailable, "downloadAvailable"), (.updateAvailable, "updateAvailable"), (.upToDate, "upToDate"),
      (.outOfDate, "outOfDate"), (.obsolete, "obsolete"), (.downloading, "downloading"), (.downloaded, "downloaded"),
    ]

    /// The names of what is set, in the order above.
    public var names: [String] { Self.names.filter { contains($0.0) }.map(\.1) }
    public var description: String { names.joined(separator: ", ") }

    /// What follows from the version in the manifest and the one that is here; nil where there is none.
    init(listed: Int?, local: Int?) {
      switch (listed, local) {
      case (nil, nil): self = []
      case (_?, nil): self = .downloadAvailable
      case (nil, _?): self = [.downloaded, .obsolete]
      case (let listed?, let local?):
        // A manifest that goes back is no update: version numbers only rise.
        self = local >= listed ? [.downloaded, .upToDate] : [.downloaded, .outOfDate, .updateAvailable]
      }
    }
  }
}
