import EventLoop
import Glibc
import HTTPClient
import JSONText
import Packing
import Synchronization
import SystemIO

/// Sends the parts of a file, two at a time, and sends again what a bad line has cut off.
struct PartSender {
  private struct Part: Sendable {
    let url: String
    let offset: Int64
    let length: Int64
  }

  private struct Progress: Sendable {
    var next = 0
    /// Bytes that have gone out of each part.
    var sent: [Int64]
    var failure: CommandFailure?
  }

  private static let threads = 2
  private static let attempts = 5

  let file: ArchiveFile
  let client: AdminClient
  /// Called with the bytes sent so far, on any thread.
  let progress: @Sendable (Int64) -> Void

  /// Carries out `uploadOperations`, leaving out the parts that have arrived already.
  func send(_ operations: [JSONValue]) throws(CommandFailure) {
    let parts = operations.filter { $0["entityTag"]?.string == nil }.compactMap { operation -> Part? in
      guard let url = operation["url"]?.string, let offset = operation["offset"]?.int,
        let length = operation["length"]?.int
      else { return nil }
      return Part(url: url, offset: Int64(offset), length: Int64(length))
    }
    let state = Condition(Progress(sent: Array(repeating: 0, count: parts.count)))
    var running: [SystemThread] = []
    for _ in 0..<min(Self.threads, parts.count) {
      let work = Work(parts: parts, file: file, client: client.sibling(), state: state, progress: progress)
      do throws(SystemFailure) {
        running.append(try SystemThread(name: "upload") { work.run() })
      } catch {
        state.withLock { $0.failure = CommandFailure(error.sentence, .temporaryFailure) }
      }
    }
    for thread in running { thread.join() }
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }

  /// What one thread does.
  ///
  /// `@unchecked Sendable` is safe: the client belongs to this thread alone, the rest is made for sharing.
  private final class Work: @unchecked Sendable {
    private let parts: [Part]
    private let file: ArchiveFile
    private let client: AdminClient
    private let state: Condition<Progress>
    private let progress: @Sendable (Int64) -> Void

    init(
      parts: [Part], file: ArchiveFile, client: AdminClient, state: Condition<Progress>,
      progress: @escaping @Sendable (Int64) -> Void
    ) {
      self.parts = parts
      self.file = file
      self.client = client
      self.state = state
      self.progress = progress
    }

    func run() {
      while let index = next() {
        do throws(CommandFailure) {
          try send(index)
        } catch {
          state.withLock { $0.failure = $0.failure ?? error }
          return
        }
      }
    }

    private func next() -> Int? {
      state.withLock { progress in
        guard progress.failure == nil, progress.next < parts.count else { return nil }
        progress.next += 1
        return progress.next - 1
      }
    }

    private func send(_ index: Int) throws(CommandFailure) {
      let part = parts[index]
      let file = file
      let body = RequestBody.source(length: part.length) { position, buffer throws(SystemFailure) in
        let wanted = Int(clamping: min(Int64(buffer.count), part.length - position))
        return try file.read(
          at: part.offset + position, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]))
      }
      var attempt = 1
      while true {
        do throws(PartFailure) {
          return try client.put(part.url, body: body) { sent in self.moved(index, sent) }
        } catch {
          guard error.mayRetry, attempt < PartSender.attempts else { throw error.failure }
          // 0.5, 1, 2 and 4 seconds: long enough for a daemon to start again.
          usleep(UInt32(250_000 << attempt))
          attempt += 1
        }
      }
    }

    private func moved(_ index: Int, _ sent: Int64) {
      let total = state.withLock { progress in
        progress.sent[index] = sent
        return progress.sent.reduce(0, +)
      }
      progress(total)
    }
  }
}
