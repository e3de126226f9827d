import AssetPacks
import Testing

struct ReleaseCostTests {
  private func pack(_ id: String, _ version: Int, _ size: Int64, _ policy: PackDownloadPolicy = .onDemand)
    -> ReleaseCost.Pack
  {
    ReleaseCost.Pack(id: id, version: version, downloadSize: size, installSize: size * 3, policy: policy)
  }

  @Test func aFirstReleaseCostsAFirstInstallation() {
    let cost = ReleaseCost(
      before: [],
      after: [
        pack("e", 1, 100, .essential(.both)), pack("p", 1, 20, .prefetch(.firstInstallation)),
        pack("late", 1, 3, .prefetch(.subsequentUpdate)), pack("o", 1, 7),
      ])
    #expect(cost.firstInstallation.essential.downloadBytes == 100)
    #expect(cost.firstInstallation.essential.installBytes == 300)
    #expect(cost.firstInstallation.prefetch.downloadBytes == 20)
    #expect(cost.firstInstallation.onDemand.packs == 1)
    #expect(cost.total.prefetch.downloadBytes == 23)
    #expect(cost.appearing == ["e", "late", "o", "p"])
    // New packs come with an update of the app when their policy says so; on demand only when the app asks.
    #expect(cost.update.essential.downloadBytes == 100)
    #expect(cost.update.prefetch.downloadBytes == 3)
    #expect(cost.update.onDemand.packs == 0)
  }

  @Test func anUpdateCostsWhatRises() {
    let cost = ReleaseCost(
      before: [pack("a", 1, 10, .essential(.both)), pack("b", 5, 20), pack("c", 2, 30), pack("d", 9, 40)],
      after: [pack("a", 2, 11, .prefetch(.both)), pack("b", 5, 20), pack("c", 4, 31), pack("d", 8, 40)])
    #expect(cost.updated == ["a", "c"])
    #expect(cost.changesPolicy == ["a"])
    #expect(cost.falling == ["d"])
    #expect(cost.update.prefetch.downloadBytes == 11)
    #expect(cost.update.onDemand.downloadBytes == 31)
    #expect(cost.update.essential.packs == 0)
    #expect(cost.appearing.isEmpty && cost.disappearing.isEmpty)
  }

  @Test func whatGoesIsNamed() {
    let cost = ReleaseCost(before: [pack("a", 1, 1), pack("b", 1, 1)], after: [])
    #expect(cost.disappearing == ["a", "b"])
    #expect(cost.total == ReleaseCost.ByPolicy())
  }

  @Test func sumsSaturate() {
    let huge = Int64.max / 2
    let cost = ReleaseCost(
      before: [],
      after: (1...3).map {
        ReleaseCost.Pack(id: "\($0)", version: 1, downloadSize: huge, installSize: huge, policy: .onDemand)
      })
    #expect(cost.total.onDemand.downloadBytes == .max)
    let checks = DownloadAllowances([.download: 1]).checks(cost.total)
    #expect(checks.map(\.needed) == [.max])
  }

  @Test func compressedAndUncompressedAreComparedApart() {
    let cost = ReleaseCost(
      before: [],
      after: [pack("e", 1, 100, .essential(.both)), pack("p", 1, 20, .prefetch(.both)), pack("o", 1, 7)])
    let allowances = DownloadAllowances([
      .download: 27, .essentialDownload: 99, .maximumInstall: 80, .essentialMaximumInstall: 300,
    ])
    let checks = allowances.checks(cost.total)
    #expect(checks.map(\.key) == [.download, .essentialDownload, .maximumInstall, .essentialMaximumInstall])
    #expect(checks.map(\.needed) == [27, 100, 81, 300])
    #expect(checks.map(\.fits) == [true, false, false, true])
    #expect(DownloadAllowances().checks(cost.total).isEmpty)
  }
}
