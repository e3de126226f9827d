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
