import AppleArchive
import AssetPacks
import Glibc
import JSONText
import SystemIO

/// Makes an archive from a packaging manifest: the same bytes from the same files, on any machine and at any time.
package struct PackBuilder: Sendable {
  /// Which time the entries get.
  package enum ModificationTime: Sendable {
    /// One time for all of them, in seconds since 1970.
    case fixed(Int64)
    /// Each file's own; then a fresh checkout gives other bytes.
    case source
  }

  /// What was made.
  package struct Result: Sendable {
    package let manifest: PackagingManifest
    package let files: Int
    /// Bytes of all files, without the manifest.
    package let contentBytes: Int64
    /// Length of the archive in bytes.
    package let archiveBytes: Int64
    /// The hash of the content, when it was asked for.
    package let contentSHA256: String?
  }

  /// 2000-01-01T00:00:00Z. A version control system does not keep times, so the files' own would make every checkout
  /// look like an update to devices.
  package static let defaultTime: Int64 = 946_684_800

  package var time: ModificationTime = .fixed(defaultTime)
  /// How blocks are compressed; Apple's packer uses LZFSE.
  package var codec: ArchiveWriterCodec = .lzfse
  /// Threads that compress blocks, 1 … 64. The bytes do not depend on it.
  package var threads = ParallelBlockCompressor<SystemFailure>.defaultThreads
  /// Writes the hash of the content into the archive's manifest, see `ContentDigest`. The files are read once before
  /// they are packed, and the archive once after, so that the hash is true even if a file changed in between.
  package var recordsContentHash = false
  /// Written into the archive's manifest.
  package var toolsVersion: String
  /// Called now and then with the bytes packed so far and the bytes in all.
  package var progress: (@Sendable (_ done: Int64, _ total: Int64) -> Void)?
  /// Asked now and then; true breaks the packing off with ECANCELED, and nothing is left behind.
  package var isCancelled: (@Sendable () -> Bool)?

  package init(toolsVersion: String) { self.toolsVersion = toolsVersion }

  /// Packs what the manifest at `manifestPath` selects into a new file at `output`, which appears whole or not at all.
  /// A file that is there already is replaced only with `overwrites`.
  package func build(_ manifestPath: String, output: String, overwrites: Bool) throws(PackingFailure) -> Result {
    var (manifest, document) = try Self.read(manifestPath)
    let contents = try PackContents(manifest, path: manifestPath, document: document)
    try Self.check(output, contents, overwrites: overwrites)
    if manifest.effectivePlatforms.contains(.macOS), let program = try contents.programs().first {
      throw .executable(path: program.source, contents.place(of: program))
    }
    let contentHash = recordsContentHash ? try record(contents, in: &manifest, manifestPath) : nil
    let file = try OutputFile(output)
    let size = try write(manifest, contents, to: file, output)
    if let contentHash { try confirm(contentHash, file, output) }
    try file.publish(overwrites: overwrites)
    return Result(
      manifest: manifest, files: contents.files.count, contentBytes: contents.files.reduce(0) { $0 + $1.size },
      archiveBytes: size, contentSHA256: contentHash)
  }

  /// Refuses a path where the archive must not go.
  private static func check(_ output: String, _ contents: PackContents, overwrites: Bool) throws(PackingFailure) {
    var status = stat()
    guard lstat(output, &status) == 0 else { return }
    let stamp = FileStamp(status)
    if let file = contents.files.first(where: { $0.stamp.isSameFile(as: stamp) }) {
      throw .outputIsSource(path: file.source, contents.place(of: file))
    }
    guard overwrites else { throw .outputExists(output) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .outputKind(output) }
  }

  /// Reads a packaging manifest, with the positions of its values.
  package static func read(_ path: String) throws(PackingFailure) -> (PackagingManifest, JSONDocument) {
    let bytes = try onDisk(try readFile(path, limit: 1 << 20))
    do throws(AssetPackFailure) {
      let manifest = try PackagingManifest.parse(bytes)
      guard let document = try? JSONParser.parse(bytes, dialect: .relaxed) else {
        throw AssetPackFailure.packagingManifest([])
      }
      return (manifest, document)
    } catch {
      throw .manifest(file: path, error)
    }
  }

  private func write(
    _ manifest: PackagingManifest, _ contents: PackContents, to output: OutputFile, _ path: String
  ) throws(PackingFailure) -> Int64 {
    let blockSize = ArchiveWriter<SystemFailure>.defaultBlockSize
    let compressor: ParallelBlockCompressor<SystemFailure>
    do throws(SystemFailure) {
      compressor = try ParallelBlockCompressor(codec, blockSize: blockSize, threads: threads) {
        (bytes) throws(SystemFailure) in
        if isCancelled?() == true { throw SystemFailure("pwrite", path, code: ECANCELED) }
        try output.append(bytes)
      }
    } catch { throw .system(error) }
    var writer = ArchiveWriter<SystemFailure>(blockSize: blockSize, blocks: compressor)
    let total = contents.files.reduce(Int64(0)) { $0 + $1.size }
    var done: Int64 = 0
    do throws(ArchiveWriteFailure<SystemFailure>) {
      try writer.directory("Contents", modified: ArchiveTime(seconds: fixedTime))
    } catch { throw PackingFailure(error, file: path) }
    var folders: Set<ExactText> = []
    for file in contents.files {
      try addFolders(of: file.devicePath, &folders, &writer)
      try add(file, contents.place(of: file), to: &writer) { count in
        done += Int64(count)
        progress?(done, total)
      }
    }
    do throws(ArchiveWriteFailure<SystemFailure>) {
      let json = manifest.archiveJSON(toolsVersion: toolsVersion)
      try writer.beginFile("Manifest.json", size: Int64(json.count), modified: ArchiveTime(seconds: fixedTime))
      try json.withUnsafeBufferPointer { bytes throws(ArchiveWriteFailure<SystemFailure>) in
        try writer.fileBytes(UnsafeRawBufferPointer(bytes))
      }
      try writer.endFile()
      try writer.finish()
    } catch { throw PackingFailure(error, file: path) }
    return try onDisk(try output.finish())
  }

  /// The time of what has no source file of its own.
  private var fixedTime: Int64 {
    if case .fixed(let seconds) = time { seconds } else { Self.defaultTime }
  }

  private func addFolders(
    of path: String, _ known: inout Set<ExactText>, _ writer: inout ArchiveWriter<SystemFailure>
  ) throws(PackingFailure) {
    var folder = ""
    for component in path.pathParts.dropLast() {
      folder = folder.isEmpty ? component : "\(folder)/\(component)"
      guard known.insert(ExactText(folder)).inserted else { continue }
      do throws(ArchiveWriteFailure<SystemFailure>) {
        try writer.directory("Contents/\(folder)", modified: ArchiveTime(seconds: fixedTime))
      } catch { throw PackingFailure(error, file: folder) }
    }
  }

  private func add(
    _ file: PackContents.File, _ place: SelectorPlace, to writer: inout ArchiveWriter<SystemFailure>,
    moved: (Int) -> Void
  ) throws(PackingFailure) {
    let source = try onDisk(for: place, try ArchiveFile(file.source))
    try check(source, file, place)
    let seconds = if case .fixed(let seconds) = time { seconds } else { file.modified }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
    defer { buffer.deallocate() }
    var offset: Int64 = 0
    var unreadable: SystemFailure?
    do throws(ArchiveWriteFailure<SystemFailure>) {
      try writer.beginFile(
        "Contents/\(file.devicePath)", size: file.size, mode: file.isExecutable ? 0o755 : 0o644,
        modified: ArchiveTime(seconds: seconds))
      while true {
        let count: Int
        do throws(SystemFailure) { count = try source.read(at: offset, into: buffer) } catch {
          unreadable = error
          throw .sink(error)
        }
        if count == 0 { break }
        offset += Int64(count)
        // More than announced: the writer refuses it, and the message below says why.
        try writer.fileBytes(UnsafeRawBufferPointer(rebasing: buffer[0..<count]))
        moved(count)
      }
      try writer.endFile()
    } catch {
      if case .archive(.writerFileSize) = error {
        throw .changed(path: file.source, expected: file.size, found: offset, place)
      }
      throw unreadable.map { .unreadable($0, place) } ?? PackingFailure(error, file: file.source)
    }
    try check(source, file, place)
  }

  /// Notices that the file is not what was selected any more.
  private func check(_ source: ArchiveFile, _ file: PackContents.File, _ place: SelectorPlace) throws(PackingFailure) {
    let stamp = try onDisk(for: place, try source.stamp())
    guard stamp != file.stamp else { return }
    throw .changed(
      path: file.source, expected: file.size, found: stamp.size == file.size ? nil : stamp.size, place)
  }
}

extension PackingFailure {
  init(_ failure: ArchiveWriteFailure<SystemFailure>, file: String) {
    switch failure {
    case .archive(let failure): self = .archive(file: file, failure)
    case .sink(let failure): self = .system(failure)
    }
  }
}
