/// How far a download is.
public struct DownloadProgress: Sendable, Equatable {
  /// Bytes of the archives that are here.
  public let completed: Int64
  /// Bytes of the archives as a whole.
  public let total: Int64

  public init(completed: Int64, total: Int64) {
    self.completed = completed
    self.total = total
  }

  /// From 0 to 1.
  public var fractionCompleted: Double { total > 0 ? min(1, max(0, Double(completed) / Double(total))) : 1 }
}

/// Something that happened to a download.
public enum DownloadStatusUpdate: Sendable, Equatable {
  case began(AssetPack)
  case paused(AssetPack)
  /// Comes about once for each percent.
  case downloading(AssetPack, DownloadProgress)
  /// The pack is here and its files can be read.
  case finished(AssetPack)
  case failed(AssetPack, ManagedBackgroundAssetsError)

  /// The pack that it is about.
  public var assetPack: AssetPack {
    switch self {
    case .began(let pack), .paused(let pack), .downloading(let pack, _), .finished(let pack), .failed(let pack, _): pack
    }
  }
}

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
        // A manifest that goes back is not an update: version numbers only rise.
        self = local >= listed ? [.downloaded, .upToDate] : [.downloaded, .outOfDate, .updateAvailable]
      }
    }
  }
}
