import CLinux
import Glibc
import SystemIO

extension PackCache {
  /// The pack, when it is here with all its files. What somebody deleted or cut off is downloaded again; bytes that
  /// only changed are not noticed.
  func wholeLocal(_ id: String) throws(ManagedBackgroundAssetsError) -> LocalPack? {
    guard let pack = try local(id) else { return nil }
    return isWhole(pack) ? pack : nil
  }

  /// Whether this process has looked already.
  func isKnownWhole(_ pack: LocalPack) -> Bool { whole.withLock { $0.contains(pack.folder) } }

  /// Whether number and lengths of the files are those that were unpacked. Looks once in the life of a process.
  private func isWhole(_ pack: LocalPack) -> Bool {
    if isKnownWhole(pack) { return true }
    guard let expected = pack.files else { return true }
    var files = 0
    var bytes: Int64 = 0
    var folders = [layout.files(pack.folder)]
    while let folder = folders.popLast() {
      for name in (try? Folder.names(folder)) ?? [] {
        let path = "\(folder)/\(name)"
        guard let status = try? FileStatus.of(path) else { return false }
        if status.isFolder {
          folders.append(path)
        } else {
          files += 1
          bytes = bytes.addingReportingOverflow(status.length).partialValue
        }
      }
    }
    guard files == expected, bytes == pack.installSize else { return false }
    whole.withLock { _ = $0.insert(pack.folder) }
    return true
  }
}
