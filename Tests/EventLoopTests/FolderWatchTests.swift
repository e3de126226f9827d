import Foundation
import Glibc
import Testing

@testable import EventLoop

@Suite struct FolderWatchTests {
  @Test func filesAreOpenUntilTheyAreClosed() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("packhouse-watch-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var watch = try FolderWatch()
    watch.follow([folder.path, "\(folder.path)/none"])
    #expect(watch.take() == FolderWatch.Changes())

    // The kernel queues an event before the call that caused it comes back.
    let path = folder.appendingPathComponent("a.bin").path
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    #expect(watch.take().isStructural)
    // Programs that other tests start meanwhile must not hold it open.
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try handle.write(contentsOf: Data("half".utf8))
    #expect(watch.take() == FolderWatch.Changes(isStructural: false, written: [path], open: [path]))
    #expect(watch.take().open == [path])
    try handle.close()
    let closed = watch.take()
    #expect(closed.written == [path])
    #expect(closed.open == [])

    try FileManager.default.removeItem(atPath: path)
    #expect(watch.take().isStructural)
    watch.follow([])
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    #expect(watch.take().written == [])
  }
}
