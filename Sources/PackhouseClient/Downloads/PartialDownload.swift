import Digests
import Glibc
import JSONText
import SystemIO

/// A download that may be taken up again: the bytes so far in `PATH.partial`, and in `PATH.partial.json` a note of what
/// they belong to. For one thread, which holds the pack's lock.
final class PartialDownload {
  let path: String
  /// Bytes so far.
  private(set) var length: Int64
  /// What the server must still have for the bytes to be continued (RFC 9110 section 13.1.5): a strong entity tag, or
  /// the time of the last change. Nil when they cannot be.
  private(set) var validator: String?
  /// Whether some of the bytes are from an earlier call.
  private(set) var isResumed: Bool
  private let file: FileDescriptor
  private let pack: AssetPack
  /// Of the bytes so far; nil when the bytes on the disk must be read for it.
  private var digest: Digest?

  private static let noteLimit = 64 * 1024

  var bytesPath: String { path + ".partial" }
  private var notePath: String { path + ".partial.json" }

  /// Takes up what an earlier call left for the same version of the same pack, or starts empty.
  init(_ pack: AssetPack, path: String) throws(SystemFailure) {
    self.pack = pack
    self.path = path
    file = try FileDescriptor.open(path + ".partial", O_RDWR | O_CREAT, mode: 0o644)
    length = try file.length(subject: path)
    validator = nil
    isResumed = false
    let noted = noted()
    if noted == nil || length > pack.downloadSize {
      try restart(validator: nil)
    } else {
      validator = noted
      isResumed = length > 0
      digest = length == 0 ? Digest(.sha256) : nil
    }
  }

  private func noted() -> String? {
    guard let bytes = try? readFile(notePath, limit: Self.noteLimit),
      let note = (try? JSONParser.parse(bytes))?.root, note["url"]?.string == pack.url,
      note["version"]?.int == pack.version, note["downloadSize"]?.int.map(Int64.init) == pack.downloadSize
    else { return nil }
    return note["validator"]?.string
  }

  /// Drops the bytes; those that come next belong to `validator`. Without one they are good for this call only.
  func restart(validator: String?) throws(SystemFailure) {
    if ftruncate(file.raw, 0) != 0 { throw SystemFailure("ftruncate", bytesPath) }
    length = 0
    isResumed = false
    digest = Digest(.sha256)
    self.validator = validator
    guard let validator else {
      try removeFile(notePath)
      return
    }
    let note: JSONValue = [
      "id": .string(pack.id), "url": .string(pack.url), "version": .integer(pack.version),
      "downloadSize": .integer(pack.downloadSize), "validator": .string(validator),
    ]
    try AtomicFile.write(note.serialize(), to: notePath)
  }

  func append(_ bytes: UnsafeRawBufferPointer) throws(SystemFailure) {
    try file.writeAll(bytes, at: length, subject: bytesPath)
    digest?.update(bytes)
    length += Int64(bytes.count)
  }

  /// The SHA-256 of the bytes so far, as lower-case hexadecimal digits.
  func sha256() throws(SystemFailure) -> String {
    if let digest {
      self.digest = nil
      return digest.finishText()
    }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { buffer.deallocate() }
    let digest = Digest(.sha256)
    var position: Int64 = 0
    while position < length {
      let count = try file.readAll(into: buffer, at: position, subject: bytesPath)
      guard count > 0 else { break }
      digest.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      position += Int64(count)
    }
    return digest.finishText()
  }

  /// Deletes the bytes and the note.
  func discard() throws(SystemFailure) {
    try removeFile(notePath)
    try removeFile(bytesPath)
  }
}
