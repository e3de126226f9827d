/// What is left of the sizes that installation events may use.
struct Allowance {
  /// Compressed bytes; nil for no limit.
  private let download: Int64?
  private var used: Int64 = 0
  /// Bytes unpacked; nil for no limit.
  private(set) var install: Int64?

  init(download: Int64?, install: Int64?) {
    self.download = download
    self.install = install
  }

  /// Counts the pack's download, or refuses it.
  mutating func take(_ pack: AssetPack) throws(ManagedBackgroundAssetsError) {
    if let download {
      guard pack.downloadSize <= download else {
        throw .sessionDownloadDisallowedByAllowance(pack: pack.id, size: pack.downloadSize, allowance: download)
      }
      guard pack.downloadSize <= download - used else {
        throw .sessionDownloadAllowanceExceeded(pack: pack.id, size: pack.downloadSize, left: download - used)
      }
      used += pack.downloadSize
    }
  }

  mutating func installed(_ size: Int64) { install = install.map { max(0, $0 - size) } }
}
