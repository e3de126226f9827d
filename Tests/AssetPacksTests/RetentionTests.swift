import AssetPacks
import Testing

struct RetentionTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var versions: [Retention.Version]
    var retention = Retention(supersededVersions: 2, supersededTime: 100, grace: 10, archiveTime: 50)
    var archived: Int64?
    /// Number and due time of what is past retention at 1000.
    let expired: [[Int64]]
  }

  private static func version(
    _ number: Int, needed: Bool = false, changed: Int64 = 0, marked: Int64? = nil
  ) -> Retention.Version {
    Retention.Version(number: number, isNeeded: needed, changed: changed, marked: marked)
  }

  static let cases: [Case] = [
    Case(testDescription: "nothing", versions: [], expired: []),
    Case(testDescription: "the newest two stay, however old", versions: [version(1), version(2)], expired: []),
    Case(
      testDescription: "the third goes, after the grace", versions: [version(1), version(2), version(3)],
      expired: [[1, 1010]]),
    Case(
      testDescription: "the grace begins with the mark", versions: [version(1, marked: 700), version(2), version(3)],
      expired: [[1, 710]]),
    Case(
      testDescription: "young ones stay", versions: [version(1, changed: 901), version(2), version(3)], expired: []),
    Case(
      testDescription: "old enough to the second", versions: [version(1, changed: 900), version(2), version(3)],
      expired: [[1, 1010]]),
    Case(
      testDescription: "needed ones stay, and are none of the two",
      versions: [version(1, needed: true), version(2), version(3), version(4), version(5, needed: true)],
      expired: [[2, 1010]]),
    Case(
      testDescription: "of an archived pack all go, by the time of the archive", versions: [version(1), version(2)],
      archived: 980, expired: [[2, 1030], [1, 1030]]),
    Case(
      testDescription: "but not what a manifest lists", versions: [version(1, needed: true), version(2)], archived: 980,
      expired: [[2, 1030]]),
    Case(
      testDescription: "one is kept whatever is asked for", versions: [version(1), version(2)],
      retention: Retention(supersededVersions: 0, supersededTime: 0, grace: 0, archiveTime: 0), expired: [[1, 1000]]),
    Case(
      testDescription: "times that do not end", versions: [version(1), version(2)],
      retention: Retention(supersededVersions: 1, supersededTime: .max, grace: .max, archiveTime: .max),
      archived: 10, expired: [[2, .max], [1, .max]]),
  ]

  @Test(arguments: cases) func letsGo(_ test: Case) {
    let expired = test.retention.expired(test.versions.reversed(), archived: test.archived, now: 1000)
    #expect(expired.map { [Int64($0.number), $0.due] } == test.expired)
  }

  @Test func theFloorHoldsAlsoForChanges() {
    var retention = Retention()
    retention.supersededVersions = 0
    #expect(retention.supersededVersions == Retention.floor)
  }
}
