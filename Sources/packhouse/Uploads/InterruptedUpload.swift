import Digests
import JSONText
import Packing
import SystemIO

/// An upload that was cut off, with the version that waits for it.
struct InterruptedUpload {
  let version: JSONValue
  let upload: JSONValue
  /// Bytes that the server has.
  let arrived: Int64
}

extension AdminClient {
  /// The newest upload to `pack` that waits for the rest of `file`; nil when there is none. Whatever has arrived of it
  /// is what the file has at that place.
  func interruptedUpload(of file: ArchiveFile, pack: String) throws(CommandFailure) -> InterruptedUpload? {
    for version in try versions(pack: pack) where version["attributes"]?["state"]?.string == "AWAITING_UPLOAD" {
      let id = version["id"]?.string ?? ""
      guard let upload = try list("v1/backgroundAssetVersions/\(id)/backgroundAssetUploadFiles").first,
        upload["attributes"]?["fileSize"]?.int.flatMap({ Int64(exactly: $0) }) == file.length,
        let arrived = try arrived(upload, of: file)
      else { continue }
      return InterruptedUpload(version: version, upload: upload, arrived: arrived)
    }
    return nil
  }

  /// The bytes of the parts that have arrived; nil when one of them is not what `file` has there.
  private func arrived(_ upload: JSONValue, of file: ArchiveFile) throws(CommandFailure) -> Int64? {
    var total: Int64 = 0
    for operation in upload["attributes"]?["uploadOperations"]?.array ?? [] {
      guard let tag = operation["entityTag"]?.string else { continue }
      guard let offset = operation["offset"]?.int.flatMap({ Int64(exactly: $0) }),
        let length = operation["length"]?.int.flatMap({ Int64(exactly: $0) }), offset >= 0, length >= 0,
        offset <= file.length, length <= file.length - offset
      else { return nil }
      let digest = Digest(.sha256)
      do throws(SystemFailure) {
        try file.forEachPiece(from: offset, to: offset + length) { bytes in
          digest.update(bytes)
          return true
        }
      } catch {
        throw CommandFailure(error.sentence, .inputOutput)
      }
      guard digest.finishText() == tag else { return nil }
      total += length
    }
    return total
  }
}
