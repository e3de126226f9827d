import Testing

@testable import PackhouseClient

@Suite struct BackoffTests {
  private let refused = ManagedBackgroundAssetsError.network("Nothing listens.", isTransient: true)

  private func busy(_ seconds: Int64) -> ManagedBackgroundAssetsError {
    .status(503, url: "u", retryAfter: .seconds(seconds))
  }

  @Test func pausesDoubleUpToAMinuteAndAreNeverQuiteTheSame() {
    var backoff = Backoff(first: .seconds(1))
    for seconds in [1.0, 2, 4, 8, 16, 32, 60, 60] {
      let pause = backoff.next(after: refused) ?? .zero
      #expect(pause >= .seconds(seconds * 0.75) && pause <= .seconds(seconds * 1.25), "\(seconds): \(pause)")
    }
    backoff.reset()
    #expect(backoff.next(after: refused) ?? .zero <= .seconds(1.25))
    let many = Set(
      (0..<20).map { _ in Backoff(first: .seconds(1)) }.map { start in
        var backoff = start
        return backoff.next(after: refused)
      })
    #expect(many.count > 1)
  }

  @Test func theServersWaitCountsWhereItIsLongerAndCanBeWaitedFor() {
    var backoff = Backoff(first: .seconds(1))
    #expect(backoff.next(after: busy(120)) == .seconds(120))
    #expect(backoff.next(after: busy(121)) == nil)
    let own = backoff.next(after: busy(0)) ?? .zero
    #expect(own >= .seconds(3) && own <= .seconds(5))
  }

  @Test(arguments: [
    ("120", Duration.seconds(120)), ("0", .zero), ("-1", nil), ("1.5", nil), ("", nil), ("99999999999", nil),
    ("Wed, 21 Oct 2026 07:28:00 GMT", nil),
  ])
  func theWaitIsReadInSeconds(value: String, expected: Duration?) {
    #expect(TransportResponse(status: 503, fields: [("retry-after", value)]).retryAfter == expected)
  }
}
