import AppleArchive
import AssetPacks
import JSONText
import SystemIO

extension PackBuilder {
  /// Hashes the files and writes the result into the manifest's `userInfo`.
  func record(
    _ contents: PackContents, in manifest: inout PackagingManifest, _ path: String
  ) throws(PackingFailure) -> String {
    var userInfo = manifest.userInfo ?? JSONObject()
    guard userInfo[ContentDigest.key] == nil else {
      throw .userInfoKey(file: path, key: ContentDigest.key, option: "--sha256")
    }
    let hash = try ContentDigest.text(of: contents)
    userInfo.set(ContentDigest.key, .string(hash))
    manifest.userInfo = userInfo
    return hash
  }

  /// Reads the archive that was written and compares.
  func confirm(_ hash: String, _ archive: OutputFile, _ output: String) throws(PackingFailure) {
    let report: PackReport
    do {
      let file: ArchiveFile
      do throws(SystemFailure) { file = try archive.written() } catch { throw PackingFailure.system(error) }
      do throws(ArchiveFailure) {
        var limits = ArchiveLimits()
        // What was just written is no bomb.
        limits.decodedBytes = .max
        report = try PackReport(file, limits: limits)
      } catch { throw PackingFailure.archive(file: output, error) }
    }
    guard report.contentSHA256 == hash else { throw .contentChanged(output: output) }
  }
}
