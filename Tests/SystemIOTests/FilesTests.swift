import Foundation
import Glibc
import SystemIO
import Testing

@Suite final class FilesTests {
  let folder: String

  init() throws {
    folder = NSTemporaryDirectory() + "packhouse-files-\(UUID().uuidString)"
    try Folder.create(folder)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  @Test func anAtomicWriteReplacesTheWholeFileAndLeavesNothingBehind() throws {
    try AtomicFile.write(Array("one, and longer".utf8), to: "\(folder)/f")
    try AtomicFile.write(Array("two".utf8), to: "\(folder)/f")
    #expect(try readFile("\(folder)/f", limit: 100) == Array("two".utf8))
    #expect(try Folder.names(folder) == ["f"])
  }

  @Test func aFailedAtomicWriteKeepsTheOldStateAndNamesThePath() throws {
    try Folder.create("\(folder)/f/inside")
    let failure = #expect(throws: SystemFailure.self) { try AtomicFile.write([1], to: "\(folder)/f") }
    #expect(failure?.sentence.contains("\(folder)/f") == true)
    #expect(try Folder.names(folder) == ["f"])
  }

  @Test(arguments: [0, 1, 65535, 65536, 65537, 200_000])
  func readingGivesAllBytesUpToTheLimit(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 2_654_435_761 >> 16) }
    try AtomicFile.write(bytes, to: "\(folder)/f")
    #expect(try readFile("\(folder)/f", limit: count) == bytes)
    #expect(try readFile("\(folder)/f", limit: 1 << 20) == bytes)
    if count > 0 {
      let failure = #expect(throws: SystemFailure.self) { try readFile("\(folder)/f", limit: count - 1) }
      #expect(failure?.code == EFBIG)
    }
  }

  @Test func aMovedFileNeverReplacesAnother() throws {
    try AtomicFile.write([1], to: "\(folder)/a")
    try AtomicFile.write([2], to: "\(folder)/b")
    #expect(try !moveFile("\(folder)/a", toNew: "\(folder)/b"))
    #expect(try readFile("\(folder)/b", limit: 9) == [2])
    #expect(try moveFile("\(folder)/a", toNew: "\(folder)/c"))
    #expect(try Folder.names(folder) == ["b", "c"])
  }

  @Test func foldersAreCreatedWithTheirParents() throws {
    try Folder.create("\(folder)/x/y/z", mode: 0o700)
    try Folder.create("\(folder)/x/y/z")
    #expect(try FileStatus.of("\(folder)/x/y/z")?.isFolder == true)
    try AtomicFile.write([], to: "\(folder)/file")
    #expect(throws: SystemFailure.self) { try Folder.create("\(folder)/file") }
  }

  @Test(arguments: [("/a/b", "/a"), ("b", "."), ("/a", "/"), ("/", "/"), ("a/b/", "a")])
  func theParentOfAPath(path: String, parent: String) { #expect(Folder.parent(of: path) == parent) }

  @Test func aSecondLockIsRefusedWithTheOwnersProcess() throws {
    let path = "\(folder)/lock"
    guard case .taken(let first) = try LockFile.take(path) else {
      Issue.record("the first attempt must take the lock")
      return
    }
    guard case .heldByOther(let processID) = try LockFile.take(path) else {
      Issue.record("the second attempt must not take the lock")
      return
    }
    #expect(processID == getpid())
    withExtendedLifetime(first) {}
  }

  @Test func aLockIsFreeAfterItsOwnerIsGone() throws {
    let path = "\(folder)/lock"
    do { _ = try LockFile.take(path) }
    guard case .taken = try LockFile.take(path) else {
      Issue.record("the lock must be free again")
      return
    }
  }

  @Test func writesAndReadsAtAnOffset() throws {
    let file = try FileDescriptor.open("\(folder)/f", O_RDWR | O_CREAT)
    try [1, 2, 3].withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in try file.writeAll(bytes, at: 5) }
    var buffer = [UInt8](repeating: 9, count: 64)
    let count = try buffer.withUnsafeMutableBytes { try file.readAll(into: $0, at: 3) }
    #expect(try count == Int(file.length()) - 3)
    #expect(buffer[0...1] == [0, 0])
  }
}
