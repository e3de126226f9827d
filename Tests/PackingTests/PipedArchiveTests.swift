import Foundation
import Glibc
import SystemIO
import Testing

@testable import Packing

@Suite struct PipedArchiveTests {
  private let folder: PackFolder

  init() throws { folder = try PackFolder() }

  /// What is read of a pipe with 1000 bytes in it.
  private func length(limit: Int64) throws(SystemFailure) -> Int64 {
    let path = folder["pipe"]
    unlink(path)
    guard mkfifo(path, 0o600) == 0 else { throw SystemFailure("mkfifo", path) }
    Thread.detachNewThread {
      // Waits for the reader; what a test that runs meanwhile starts must not keep it open.
      let end = open(path, O_WRONLY | O_CLOEXEC)
      let bytes = [UInt8](repeating: 1, count: 1000)
      _ = write(end, bytes, bytes.count)
      close(end)
    }
    return try ArchiveFile.open(named: path, limit: limit).length
  }

  @Test func aPipeIsReadUpToTheLimit() throws {
    #expect(try length(limit: 1000) == 1000)
    let failure = #expect(throws: SystemFailure.self) { try length(limit: 999) }
    #expect(failure?.code == EFBIG)
  }
}
