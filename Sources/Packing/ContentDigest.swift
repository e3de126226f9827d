import AppleArchive
import AssetPacks
import Digests
import JSONText
import SystemIO

/// One SHA-256 for all files of a pack, so that a client can check what it unpacked: the hash of one line
/// `<sha256 of the file>  <device path>` and a line feed for each file, sorted by the bytes of the path.
package enum ContentDigest {
  /// Where a packaging manifest keeps it: in `userInfo`.
  package static let key = "contentSHA256"

  /// The digest as 64 lower-case hexadecimal digits; `files` in any order.
  package static func text(of files: some Sequence<(path: String, sha256: String)>) -> String {
    let digest = Digest(.sha256)
    for file in files.sorted(by: { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }) {
      Array("\(file.sha256)  \(file.path)\n".utf8).withUnsafeBytes { digest.update($0) }
    }
    return digest.finishText()
  }

  /// Reads and hashes the files of a pack that is still to be made.
  static func text(of contents: PackContents) throws(PackingFailure) -> String {
    var files: [(path: String, sha256: String)] = []
    for file in contents.files {
      do throws(SystemFailure) {
        files.append((file.devicePath, try ArchiveFile(file.source).sha256() ?? ""))
      } catch { throw .unreadable(error, contents.place(of: file)) }
    }
    return text(of: files)
  }
}

extension PackReport {
  /// The digest of the files below `Contents/`.
  package var contentSHA256: String {
    ContentDigest.text(
      of: inspection.entries.lazy.compactMap { entry in
        guard let path = entry.devicePath, let sha256 = entry.sha256 else { return nil }
        return (path, sha256)
      })
  }
}

extension ArchiveInspection.Entry {
  /// The path that apps see; nil for what is not a file or lies outside `Contents/`.
  package var devicePath: String? {
    type == .file ? path.text.path(below: PackLayout.contents) : nil
  }
}

/// Where things lie in the archive of a pack.
enum PackLayout {
  static let contents = "Contents"
  static let manifestPath = "Manifest.json"
}

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
    let file = try onDisk(try archive.written())
    var limits = ArchiveLimits()
    // What was just written needs no limit against decompression bombs.
    limits.decodedBytes = .max
    let report: PackReport
    do throws(ArchiveFailure) { report = try PackReport(file, limits: limits) } catch {
      throw .archive(file: output, error)
    }
    guard report.contentSHA256 == hash else { throw .contentChanged(output: output) }
  }
}
