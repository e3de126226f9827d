/// What an `AssetPackManager` works with.
public struct ClientConfiguration: Sendable {
  /// The download manifest; https.
  public var manifestURL: String
  /// Where packs are kept; made when it is missing. Several processes may share it.
  public var cacheFolder: String
  /// PEM text of the authorities to trust instead of the machine's own.
  public var authorities: [UInt8]?
  public var restrictions = InitialDownloadRestrictions()
  /// How often a download is tried, from 1; each attempt goes on where the last one broke off.
  public var attempts = 5
  /// The wait before the second attempt; it doubles from then on, up to a minute, each time up to a quarter shorter or
  /// longer by chance. A server that asks for a longer wait gets it, up to two minutes.
  public var firstPause = Duration.milliseconds(500)
  /// Downloads at the same time, from 1; urgent ones come on top.
  public var concurrentDownloads = 3
  /// How long a connection may stand still.
  public var noProgress = Duration.seconds(30)
  /// Whether a manifest without packs deletes all packs that are here, as devices very likely do. Otherwise it is an
  /// error, because it is rarely meant.
  public var acceptsEmptyManifest = false
  /// Whether an entity tag that reads like a SHA-256 is one, as Packhouse's are.
  public var trustsEntityTagDigests = true
  /// The most bytes that one archive may unpack to.
  public var largestPack: Int64 = 64 << 30
  /// Bytes of all packs together, unpacked; nil for no limit, and then nothing is ever purged, as with Background
  /// Assets.
  public var diskBudget: Int64?
  /// How long a download waits for access to end, after `lowDiskSpace` was told, before it fails.
  public var lowDiskSpacePatience = Duration.seconds(2)

  public init(manifestURL: String, cacheFolder: String) {
    self.manifestURL = manifestURL
    self.cacheFolder = cacheFolder
  }
}
