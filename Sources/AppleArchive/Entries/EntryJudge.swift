/// Applies the rules of packs to entry headers one after the other: types, paths, links, modes.
struct EntryJudge {
  private let limits: ArchiveLimits
  private var tree: PathTree

  init(_ limits: ArchiveLimits) {
    self.limits = limits
    tree = PathTree(limit: limits.entries)
  }

  /// The entry of `header`, or the rule it breaks.
  mutating func judge(_ header: EntryHeader, _ warnings: inout WarningList) throws(ArchiveFailure) -> ArchiveEntry {
    let type = try Self.type(of: header)
    let path = try self.path(of: header, type, &warnings)
    var linkTarget: ArchivePath?
    if type == .link {
      guard let bytes = header.link else { throw .missingField(key: "LNK", entry: header.index) }
      do throws(LinkFault) {
        linkTarget = try ArchivePath.linkTarget(bytes, of: path, limits)
      } catch {
        throw .link(path: path.escaped, target: escapedPath(bytes), error)
      }
    }
    let size = try Self.size(of: header, type, path)
    try tree.insert(path, type)
    for suspicion in PathSuspicion.all(in: path) {
      warnings.append(.pathSuspicion(path: path.escaped, suspicion))
    }
    if let linkTarget { warnings.append(.link(path: path.escaped, target: linkTarget.escaped)) }
    if let mode = header.mode, mode > 0o777 { warnings.append(.specialModeBits(path: path.escaped, mode: mode)) }
    return ArchiveEntry(
      path: path, type: type, size: size, mode: header.mode.map { UInt16(truncatingIfNeeded: $0 & 0o777) },
      linkTarget: linkTarget, modified: header.modified)
  }

  private static func type(of header: EntryHeader) throws(ArchiveFailure) -> ArchiveEntryType {
    switch header.type {
    case nil: throw .missingField(key: "TYP", entry: header.index)
    case UInt8(ascii: "F"): return .file
    case UInt8(ascii: "D"): return .directory
    case UInt8(ascii: "L"): return .link
    case .some(let letter): throw .unsupportedEntryType(EntryHeader.name(of: letter), entry: header.index)
    }
  }

  private func path(
    of header: EntryHeader, _ type: ArchiveEntryType, _ warnings: inout WarningList
  ) throws(ArchiveFailure) -> ArchivePath {
    guard var bytes = header.path else { throw .missingField(key: "PAT", entry: header.index) }
    let hasLeadingDot = bytes.count > 2 && bytes[0] == UInt8(ascii: ".") && bytes[1] == UInt8(ascii: "/")
    if hasLeadingDot { bytes = UnsafeRawBufferPointer(rebasing: bytes[2...]) }
    do throws(PathFault) {
      let path = try ArchivePath(bytes, limits)
      guard !path.isRoot || type == .directory else { throw .empty }
      if hasLeadingDot { warnings.append(.leadingDot(path: path.escaped)) }
      return path
    } catch {
      throw .path(escapedPath(bytes), error)
    }
  }

  /// The length of a file's data, which only files have and must have.
  private static func size(
    of header: EntryHeader, _ type: ArchiveEntryType, _ path: ArchivePath
  ) throws(ArchiveFailure) -> Int64 {
    let data = header.blobs.first { $0.key == .data }
    guard type == .file else {
      guard data == nil else { throw .unexpectedData(path: path.escaped) }
      return 0
    }
    guard let data else { throw .deduplicatedFile(path: path.escaped) }
    if let size = header.size, size != data.byteCount {
      throw .sizeMismatch(path: path.escaped, size: size, data: data.byteCount)
    }
    guard let size = Int64(exactly: data.byteCount) else { throw .decodedBytesLimit(.max) }
    return size
  }
}
