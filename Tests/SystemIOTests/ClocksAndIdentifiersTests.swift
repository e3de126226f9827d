import SystemIO
import Testing

@Suite struct ClocksAndIdentifiersTests {
  @Test func uuidsAreOfVersionFourAndDiffer() throws {
    let uuid = try randomUUID()
    #expect(uuid.utf8.count == 36)
    #expect(Array(uuid)[14] == "4")
    #expect("89ab".contains(Array(uuid)[19]))
    #expect(try randomUUID() != uuid)
  }

  @Test func clocksGo() {
    #expect(WallClock.system.now() > 1_700_000_000)
    let first = MonotonicClock.system.now()
    #expect(MonotonicClock.system.now() >= first)
    #expect(WallClock { 5 }.now() == 5)
  }

  @Test func aFailureSaysWhatToDo() {
    let failure = SystemFailure("pwrite", "/var/lib/packhouse/f", code: 28)
    #expect(
      failure.sentence
        == "pwrite failed for /var/lib/packhouse/f: No space left on device. Make room on that file system.")
  }
}
