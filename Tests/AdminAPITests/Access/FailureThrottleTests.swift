import EventLoop
import PackStore
import SystemIO
import Testing

@testable import AdminAPI

@Suite struct FailureThrottleTests {
  private let time = TestNanoseconds()

  private func throttle(failures: Int = 3, pause: Int64 = 10) -> FailureThrottle {
    let time = time
    return FailureThrottle(failures: failures, pause: pause, clock: MonotonicClock { time.value.withLock { $0 } })
  }

  private func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }

  @Test func someFailuresAreFreeAndTheNextOnesWait() throws {
    let throttle = throttle()
    let (one, two) = (try address("192.0.2.1"), try address("192.0.2.2"))
    for _ in 0..<3 {
      #expect(throttle.wait(one) == 0)
      throttle.fail(one)
    }
    #expect(throttle.wait(one) == 10)
    #expect(throttle.wait(two) == 0)
    time.advance(seconds: 9)
    #expect(throttle.wait(one) == 1)
    time.advance(seconds: 1)
    #expect(throttle.wait(one) == 0)
    throttle.fail(one)
    #expect(throttle.wait(one) == 10)
    time.advance(seconds: 1000)
    for _ in 0..<3 { throttle.fail(one) }
    #expect(throttle.wait(one) == 10)
  }

  @Test func aNetworkOfIPv6IsOneClient() throws {
    let throttle = throttle()
    for last in 1...3 { throttle.fail(try address("2001:db8:1:2::\(last)")) }
    #expect(throttle.wait(try address("2001:db8:1:2:ffff::1")) > 0)
    #expect(throttle.wait(try address("2001:db8:1:3::1")) == 0)
    for _ in 0..<3 { throttle.fail(try address("::ffff:192.0.2.9")) }
    #expect(throttle.wait(try address("192.0.2.9")) > 0)
  }

  @Test func theTableIsBoundedAndForgetsWhoHasWaited() throws {
    let throttle = throttle()
    let victim = try address("203.0.113.1")
    for index in 0..<(2 * FailureThrottle.limit) {
      throttle.fail(try address("10.\(index >> 16).\(index >> 8 & 255).\(index & 255)"))
      time.value.withLock { $0 += 1000 }
      #expect(throttle.count <= FailureThrottle.limit)
    }
    for _ in 0..<3 { throttle.fail(victim) }
    #expect(throttle.wait(victim) > 0)
    time.advance(seconds: 10_000)
    for index in 0..<FailureThrottle.limit { throttle.fail(try address("11.0.\(index >> 8).\(index & 255)")) }
    #expect(throttle.wait(victim) == 0)
  }

  @Test func goodTokensGoOnWhileTheirAddressIsSlowed() throws {
    let tokens = try SignedTokens()
    let known = tokens.token()
    let actor = Actor(name: "test")
    let secret = try tokens.store.createToken(name: "a", role: .admin, actor: actor).secret
    for token in [known, secret] { #expect(tokens.admit(tokens.request(token)).code == nil) }
    var codes: [RefusalCode?] = []
    for index in 0..<25 { codes.append(tokens.admit(tokens.request("ph_guess\(index)")).code) }
    #expect(codes == Array(repeating: .unauthenticated, count: 20) + Array(repeating: .tooManyFailures, count: 5))
    for token in [known, secret] { #expect(tokens.admit(tokens.request(token)).code == nil) }
    // One that was not shown before has to wait, here but not elsewhere.
    let fresh = try tokens.store.createToken(name: "b", role: .admin, actor: actor).secret
    guard case .failure(let failure) = tokens.admit(tokens.request(fresh)) else {
      Issue.record("let in")
      return
    }
    #expect(failure.code == .tooManyFailures)
    #expect(failure.fields.contains { $0.0 == "Retry-After" && $0.1 == "5" })
    #expect(tokens.admit(tokens.request(fresh, from: "192.0.2.77")).code == nil)
    // Nor is a revoked one good because it was.
    let id = try tokens.store.tokens().first { $0.name == "a" }?.id ?? ""
    _ = try tokens.store.revokeToken(id, actor: actor)
    #expect(tokens.admit(tokens.request(secret)).code == .unauthenticated)
    #expect(tokens.admit(tokens.request(secret)).code == .tooManyFailures)
    tokens.time.advance(seconds: 60)
    #expect(tokens.admit(tokens.request(fresh)).code == nil)
    let counts = Dictionary(uniqueKeysWithValues: tokens.authentication.counts.present.map { ($0.reason, $0.count) })
    #expect(counts == ["missing": 0, "malformed": 0, "token": 21, "signed_token": 0, "slowed": 7])
  }

  @Test func whoShowsNothingIsNotSlowed() throws {
    let tokens = try SignedTokens()
    for _ in 0..<100 { #expect(tokens.admit(tokens.request(nil)).code == .unauthenticated) }
  }
}
