import Testing

@testable import HTTPServer

@Suite struct TurnQueueTests {
  @Test(arguments: [1, 2, 1024, 1025, 5000]) func everyoneComesInTurn(count: Int) {
    var queue = TurnQueue()
    for token in 0..<count { queue.append(UInt64(token)) }
    for token in 0..<count {
      #expect(!queue.isEmpty)
      #expect(queue.popFirst() == UInt64(token))
      // Who has more to send queues up again.
      if token < 10 { queue.append(UInt64(count + token)) }
    }
    for token in 0..<min(count, 10) { #expect(queue.popFirst() == UInt64(count + token)) }
    #expect(queue.isEmpty && queue.popFirst() == nil)
  }
}
