import AssetPacks
import Foundation
import Synchronization
import Testing

@testable import PackStore

struct ReviewRaceTests {
  @Test func ofManyVerdictsAtOnceOneCounts() throws {
    let fixture = try ReviewFixture()
    let (id, _) = try fixture.draft(try fixture.version("a"), try fixture.version("b"))
    try fixture.submit(id)
    let store = fixture.store
    let counts = Mutex<(passed: Int, refused: [StoreFailure])>((0, []))
    DispatchQueue.concurrentPerform(iterations: 8) { index in
      do throws(StoreFailure) {
        let reviewer = Actor(name: "reviewer \(index)")
        if index % 4 == 3 {
          _ = try store.withdrawReview(id, actor: ReviewFixture.publisher)
        } else {
          _ = try store.decideReview(
            .submission(id), index % 2 == 0 ? .approve : .reject, reason: "\(index)", role: .reviewer, actor: reviewer)
        }
        counts.withLock { $0.passed += 1 }
      } catch {
        counts.withLock { $0.refused.append(error) }
      }
    }
    // A rejection may still be withdrawn; nothing else follows anything.
    let decisions = try store.reviewDecisions(submission: id).items
    let result = counts.withLock { $0 }
    #expect(decisions.count <= 1)
    #expect(result.passed >= 1 && result.passed <= 2)
    for failure in result.refused {
      guard case .stateNotAllowed = failure else {
        Issue.record("\(failure.sentence)")
        continue
      }
    }
    let isLive = decisions.first?.verdict == .approve
    #expect(try fixture.listed() == (isLive ? ["a 1", "b 1"] : nil))
    let states = Set(try fixture.items(id))
    #expect(states.count == 1)
    #expect(try isLive == (states == [.approved]) && (fixture.state(id) == .complete || states == [.rejected]))
  }
}
