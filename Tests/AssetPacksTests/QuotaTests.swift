import AssetPacks
import Testing

struct QuotaTests {
  private func version(
    _ size: Int, _ state: VersionState = .complete, superseded tracks: Int = 0
  ) -> Quota.Version {
    Quota.Version(
      size: size, state: state, internalBeta: tracks > 0 ? .superseded : .readyForTesting,
      externalBeta: tracks > 1 ? .superseded : .readyForBetaSubmission,
      production: tracks > 2 ? .superseded : .prepareForSubmission)
  }

  @Test func countsTheLargestEligibleVersionOfEachPack() {
    #expect(Quota.usedBytes(ofPacks: [[version(4), version(2)], [version(1)]]) == 5)
    #expect(Quota.usedBytes(ofPack: [version(9, .failed), version(8, .processing), version(7, .awaitingUpload)]) == 0)
    #expect(Quota.usedBytes(ofPack: [version(9, superseded: 3), version(4, superseded: 2)]) == 4)
    #expect(Quota.usedBytes(ofPack: []) == 0)
    #expect(Quota.usedBytes(ofPacks: [[version(.max)], [version(.max)]]) == .max)
  }

  @Test func reservationsNeverPassTheLimitByOneByte() throws {
    let quota = Quota(maximumBytes: 100, maximumPacks: 2)
    try quota.admit(upload: 10, used: 60, reserved: 30)
    let refusal = #expect(throws: Quota.Refusal.self) { try quota.admit(upload: 11, used: 60, reserved: 30) }
    #expect(
      refusal?.sentence == "the upload needs 11 bytes and 10 of the app's 100 are free; "
        + "archive packs or let older versions be superseded")
    #expect(throws: Quota.Refusal.self) { try quota.admit(upload: 1, used: .max, reserved: .max) }
    try quota.admitPack(existing: 1)
    let full = #expect(throws: Quota.Refusal.self) { try quota.admitPack(existing: 2) }
    #expect(full?.sentence == "the app has its 2 asset packs already; archive one first")
  }

  @Test func tellsAtEightyPercent() {
    #expect(Quota.preset.maximumBytes == 200_000_000_000 && Quota.preset.maximumPacks == 200)
    #expect(Quota.preset.isNearlyFull(used: 160_000_000_000))
    #expect(!Quota.preset.isNearlyFull(used: 159_999_999_999))
  }
}

struct QuotaPresetTests {
  @Test func presetsHaveTheirNumbers() {
    let table: [(QuotaPreset, Int, Int, Int?)] = [
      (.apple, 200_000_000_000, 200, nil), (.odr, 20_000_000_000, 1000, 512_000_000),
      (.odrIOS18, 70_000_000_000, 1000, 8_000_000_000), (.odrTVOS, 20_000_000_000, 1000, 512_000_000),
    ]
    for (preset, bytes, packs, size) in table {
      let quota = Quota(preset)
      #expect(quota.maximumBytes == bytes && quota.maximumPacks == packs && quota.maximumPackBytes == size)
      #expect(quota.isEnforced)
    }
    #expect(QuotaPreset.allCases.map(\.rawValue) == ["apple", "odr", "odr-ios18", "odr-tvos", "custom"])
  }

  @Test func aPackMayBeTooLargeByItself() throws {
    let quota = Quota(.odr)
    try quota.admit(upload: 512_000_000, used: 0, reserved: 0)
    let refusal = #expect(throws: Quota.Refusal.self) { try quota.admit(upload: 512_000_001, used: 0, reserved: 0) }
    #expect(refusal == .packBytes(needed: 512_000_001, maximum: 512_000_000))
    #expect(refusal?.sentence.contains("split") == true)
  }

  @Test func aQuotaThatIsNotEnforcedRefusesNothing() throws {
    var quota = Quota(maximumBytes: 1, maximumPacks: 0)
    quota.isEnforced = false
    try quota.admit(upload: 100, used: 100, reserved: 100)
    try quota.admitPack(existing: 7)
    #expect(quota.isNearlyFull(used: 1))
  }
}
