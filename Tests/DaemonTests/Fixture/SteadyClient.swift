import Foundation
import Synchronization

/// A client that behaves, for as long as others do not: it asks for the manifest and for ranges of a pack, now and then
/// over a new connection, and every answer must be the right one.
final class SteadyClient: Sendable {
  private struct State {
    var isStopped = false
    var hasEnded = false
    var answers = 0
    var problems: [String] = []
  }

  private let state = Mutex(State())

  /// Begins to ask. `renews` is after how many requests it connects anew; 0 is never.
  init(_ daemon: TestDaemon, pack: [UInt8], renews: Int = 5) {
    let (base, trust, manifest) = (daemon.clientBase, daemon.trust, daemon.manifestPath)
    let thread = Thread { [self] in
      var web = WebClient(base, trust)
      var count = 0
      while !state.withLock({ $0.isStopped }) {
        count += 1
        if renews > 0, count % renews == 0 { web = WebClient(base, trust) }
        do {
          let first = count * 7919 % max(1, pack.count - 1000)
          let part = try web.get(
            "/apps/\(TestDaemon.app)/packs/1/p", [("Range", "bytes=\(first)-\(first + 999)")]
          ).expect(206)
          guard part.body.elementsEqual(pack[first..<(first + 1000)]) else { throw Failure("other bytes") }
          _ = try web.get(manifest).expect(200)
          state.withLock { $0.answers += 2 }
        } catch {
          state.withLock { $0.problems.append("request \(count): \(error)") }
          web = WebClient(base, trust)
        }
        usleep(2000)
      }
      state.withLock { $0.hasEnded = true }
    }
    thread.start()
  }

  /// Waits until it has got this many more answers.
  func goesOn(_ more: Int = 10) throws {
    let before = state.withLock { $0.answers }
    let deadline = ContinuousClock.now + .seconds(60)
    while state.withLock({ $0.answers < before + more }) {
      guard ContinuousClock.now < deadline else { throw Failure("the client is not served any more: \(problems)") }
      usleep(5000)
    }
  }

  /// Ends it, and returns what went wrong: nothing, if all is well.
  func stop() throws -> [String] {
    state.withLock { $0.isStopped = true }
    let deadline = ContinuousClock.now + .seconds(90)
    while !state.withLock({ $0.hasEnded }) {
      guard ContinuousClock.now < deadline else { throw Failure("the client hangs: \(problems)") }
      usleep(5000)
    }
    return problems
  }

  private var problems: [String] { state.withLock { $0.problems } }
}
