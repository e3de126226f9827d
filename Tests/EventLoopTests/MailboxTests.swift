import Testing

@testable import EventLoop

@Suite struct MailboxTests {
  @Test func aLetterFromAnotherThreadWakesThePoller() throws {
    let mailbox = try Mailbox<Int>()
    let poller = try Poller()
    try poller.addLevel(mailbox.descriptor, token: 7)
    let thread = try SystemThread(name: "sender") {
      for number in 0..<100 { mailbox.post(number) }
    }
    var received: [Int] = []
    while received.count < 100 {
      poller.wait(milliseconds: 5000) { readiness in
        #expect(readiness.token == 7 && readiness.isReadable)
        received += mailbox.takeAll()
      }
    }
    thread.join()
    #expect(received == Array(0..<100))
  }

  @Test func aClosedBoxGivesItsLastLettersAndTakesNoMore() throws {
    let mailbox = try Mailbox<Int>()
    #expect(mailbox.post(1))
    #expect(mailbox.close() == [1])
    #expect(!mailbox.post(2))
    #expect(mailbox.takeAll().isEmpty)
  }
}
