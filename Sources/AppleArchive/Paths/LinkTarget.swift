extension ArchivePath {
  /// Checks `bytes` as the target of the symbolic link at `link`: relative, and inside the pack wherever the archive's
  /// other links point. `..` is accepted at the front only: each link then stays inside by itself, whatever it passes
  /// through.
  static func linkTarget(
    _ bytes: UnsafeRawBufferPointer, of link: ArchivePath, _ limits: ArchiveLimits
  ) throws(LinkFault) -> ArchivePath {
    guard !bytes.isEmpty else { throw .empty }
    guard bytes.count <= limits.pathBytes else { throw .tooLong(bytes: bytes.count, limit: limits.pathBytes) }
    guard !bytes.contains(0) else { throw .zeroByte }
    guard bytes.first != UInt8(ascii: "/") else { throw .absolute }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
    var depth = link.text.utf8.reduce(0) { $1 == UInt8(ascii: "/") ? $0 + 1 : $0 }
    var hasName = false
    for component in text.utf8.split(separator: UInt8(ascii: "/")) {
      if component.elementsEqual(".".utf8) { continue }
      if component.elementsEqual("..".utf8) {
        guard !hasName else { throw .parentAfterName }
        depth -= 1
        guard depth >= 0 else { throw .leavesPack }
      } else {
        hasName = true
      }
    }
    return ArchivePath(checked: text)
  }
}
