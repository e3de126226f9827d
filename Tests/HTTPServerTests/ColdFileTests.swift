import CLinux
import Foundation
import HTTPCore
import Synchronization
import SystemIO
import Testing

@testable import HTTPServer

/// A file of which the page cache holds nothing.
private final class ColdFile: Sendable {
  let path: String
  let file: FileDescriptor
  let bytes: [UInt8]

  init(length: Int) throws {
    path = "\(NSTemporaryDirectory())/cold-\(UUID().uuidString)"
    bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 13 &+ $0 >> 10) }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    file = try FileDescriptor.open(path, O_RDONLY)
    // Only what is on disk can be dropped.
    fsync(file.raw)
    posix_fadvise(file.raw, 0, 0, POSIX_FADV_DONTNEED)
  }

  deinit { unlink(path) }

  /// Whether the kernel would have to wait for the disk.
  var isCold: Bool {
    var byte: UInt8 = 0
    return packhouse_pread_nowait(file.raw, &byte, 1, 0) < 0 && errno == EAGAIN
  }

  /// File systems in memory are never cold.
  static let isPossible = (try? ColdFile(length: 1_000_000).isCold) ?? false
}

@Suite(.enabled(if: ColdFile.isPossible)) struct ColdFileTests {
  private func fixture(_ file: ColdFile) throws -> ServerFixture {
    let pack = Representation(
      body: .file(descriptor: file.file.raw, owner: file), length: file.bytes.count, contentType: "a/b",
      cacheControl: "no-cache", entityTag: "t", lastModified: nil, acceptsRanges: true)
    return try ServerFixture(clock: TestClock()) { .representation(pack, Preconditions.select($0, pack)) }
  }

  @Test func aWorkerReadsWhatIsNotInMemory() throws {
    let file = try ColdFile(length: 3_000_000)
    let fixture = try fixture(file)
    defer { fixture.stop() }
    let client = try fixture.connect()
    try client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(try client.response()?.body == file.bytes)
  }

  @Test func whatFoundNoWorkerIsTriedAgain() throws {
    let file = try ColdFile(length: 3_000_000)
    let fixture = try fixture(file)
    defer { fixture.stop() }
    let gate = DispatchSemaphore(value: 0)
    let started = Mutex(0)
    var blockers = 0
    let block: @Sendable () -> Void = {
      started.withLock { $0 += 1 }
      gate.wait()
    }
    while fixture.workers.submit(block) { blockers += 1 }
    for _ in 0..<1000 where started.withLock({ $0 }) < 2 { usleep(10_000) }
    // Both threads hold a job now, and the queue behind them is full.
    while fixture.workers.submit(block) { blockers += 1 }
    let client = try fixture.connect()
    try client.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(try client.receive(atLeast: 1))
    #expect(client.bodySoFar == 0)
    for _ in 0..<blockers { gate.signal() }
    for _ in 0..<1000 where fixture.workers.waiting > 0 { usleep(10_000) }
    fixture.pass(seconds: 10)
    #expect(try client.response()?.body == file.bytes)
  }
}
