import Testing
import TestSupport

@testable import Daemon

@Suite(.waits) struct PublishRetryPolicyTests {
  @Test func aPublishThatFailedIsTriedAgainUntilOneSucceeds() {
    let retry = PublishRetryPolicy(now: 100)
    #expect(!retry.isDue(failed: 0, published: 1, faults: 0, now: 1000))
    #expect(!retry.isDue(failed: 1, published: 1, faults: 0, now: 1010))
    #expect(retry.isDue(failed: 1, published: 1, faults: 0, now: 1031))
    #expect(!retry.isDue(failed: 2, published: 1, faults: 0, now: 1040))
    #expect(retry.isDue(failed: 2, published: 1, faults: 0, now: 1061))
    #expect(!retry.isDue(failed: 2, published: 2, faults: 0, now: 1100))
    #expect(!retry.isDue(failed: 2, published: 2, faults: 0, now: 9000))
  }

  @Test func aFileThatIsMissingIsLookedForNowAndThen() {
    let retry = PublishRetryPolicy(now: 0)
    #expect(!retry.isDue(failed: 0, published: 1, faults: 2, now: 299))
    #expect(retry.isDue(failed: 0, published: 1, faults: 2, now: 300))
    #expect(!retry.isDue(failed: 0, published: 2, faults: 2, now: 599))
    #expect(retry.isDue(failed: 0, published: 2, faults: 1, now: 600))
    #expect(!retry.isDue(failed: 0, published: 3, faults: 0, now: 9000))
  }
}
