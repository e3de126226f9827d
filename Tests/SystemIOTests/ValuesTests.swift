import SystemIO
import Testing
import Values

@Suite struct ValuesTests {
  @Test func hexadecimalGoesBothWays() {
    #expect(hexadecimal([0, 0x0f, 0xa5, 0xff]) == "000fa5ff")
    #expect(bytes(hexadecimal: "000fA5FF") == [0, 0x0f, 0xa5, 0xff])
    #expect(bytes(hexadecimal: "0") == nil)
    #expect(bytes(hexadecimal: "0g") == nil)
  }

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
