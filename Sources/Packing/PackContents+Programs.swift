import AppleArchive
import SystemIO

extension PackContents {
  /// The files that are programs of macOS: Mach-O executables, of one architecture or universal.
  func programs() throws(PackingFailure) -> [File] {
    var programs: [File] = []
    for file in files where file.size >= 4 {
      do throws(SystemFailure) {
        if try Self.isProgram(ArchiveFile(file.source)) { programs.append(file) }
      } catch { throw .unreadable(error, place(of: file)) }
    }
    return programs
  }

  private static func isProgram(_ file: ArchiveFile) throws(SystemFailure) -> Bool {
    let head = UnsafeMutableRawBufferPointer.allocate(byteCount: 4, alignment: 4)
    defer { head.deallocate() }
    guard try file.read(at: 0, into: head) == 4, MachODetector.isMark(UnsafeRawBufferPointer(head)) else {
      return false
    }
    var detector = MachODetector()
    try file.forEachPiece { bytes in
      detector.update(bytes)
      return true
    }
    return detector.kind == .executable
  }
}
