import Digests
import Glibc
import JSONText
import SystemIO

/// A download that may be taken up again: the bytes so far beside the destination, and a note of what they belong to.
struct PartialDownload: ~Copyable {
  let destination: String
  /// Bytes so far.
  private(set) var length: Int64
  /// The strong entity tag of the answer that the bytes came from; nil when they cannot be continued.
  private(set) var entityTag: String?
  private let file: FileDescriptor
  private let pack: AssetPack

  private static let noteLimit = 64 * 1024

  private static func bytesPath(_ destination: String) -> String { destination + ".partial" }
  private static func notePath(_ destination: String) -> String { destination + ".partial.json" }

  private init(of pack: AssetPack, destination: String, file: consuming FileDescriptor, length: Int64, tag: String?) {
    self.pack = pack
    self.destination = destination
    self.file = file
    self.length = length
    entityTag = tag
  }

  /// Takes up what an earlier call left for the same version of the same pack, or starts empty.
  static func open(_ pack: AssetPack, destination: String) throws(SystemFailure) -> PartialDownload {
    let file = try FileDescriptor.open(bytesPath(destination), O_RDWR | O_CREAT, mode: 0o644)
    let length = try file.length(subject: destination)
    let tag = noted(destination, for: pack)
    var partial = PartialDownload(of: pack, destination: destination, file: file, length: length, tag: tag)
    if tag == nil || length > pack.downloadSize { try partial.restart(entityTag: nil) }
    return partial
  }

  private static func noted(_ destination: String, for pack: AssetPack) -> String? {
    guard let bytes = try? readFile(notePath(destination), limit: noteLimit),
      let note = (try? JSONParser.parse(bytes))?.root, note["url"]?.string == pack.url,
      note["version"]?.int == pack.version, note["downloadSize"]?.int == Int(pack.downloadSize)
    else { return nil }
    return note["entityTag"]?.string
  }

  /// Drops the bytes; those that come next belong to `entityTag`. A weak tag, or none, makes them good for this call
  /// only.
  mutating func restart(entityTag: String?) throws(SystemFailure) {
    if ftruncate(file.raw, 0) != 0 { throw SystemFailure("ftruncate", destination) }
    length = 0
    self.entityTag = entityTag.flatMap { $0.hasPrefix("\"") ? $0 : nil }
    guard let tag = self.entityTag else {
      try removeFile(Self.notePath(destination))
      return
    }
    let note: JSONValue = [
      "url": .string(pack.url), "version": .integer(pack.version), "downloadSize": .integer(pack.downloadSize),
      "entityTag": .string(tag),
    ]
    try AtomicFile.write(note.serialize(), to: Self.notePath(destination))
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) throws(SystemFailure) {
    try file.writeAll(bytes, at: length, subject: destination)
    length += Int64(bytes.count)
  }

  /// The SHA-256 of the bytes so far, as lower-case hexadecimal digits.
  func sha256() throws(PackhouseClientFailure) -> String {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { buffer.deallocate() }
    let digest = Digest(.sha256)
    var position: Int64 = 0
    while position < length {
      let count: Int
      do throws(SystemFailure) {
        count = try file.readAll(into: buffer, at: position, subject: destination)
      } catch { throw PackhouseClientFailure(error) }
      guard count > 0 else { break }
      digest.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      position += Int64(count)
    }
    return digest.finishText()
  }

  /// Makes the bytes durable and puts them at the destination, in one step.
  func finish() throws(SystemFailure) {
    try file.synchronize(subject: destination)
    if rename(Self.bytesPath(destination), destination) != 0 { throw SystemFailure("rename", destination) }
    try removeFile(Self.notePath(destination))
    try Folder.synchronize(Folder.parent(of: destination))
  }

  /// Deletes the bytes and the note.
  func discard() throws(SystemFailure) {
    try removeFile(Self.notePath(destination))
    try removeFile(Self.bytesPath(destination))
  }
}
