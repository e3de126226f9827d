import Glibc
import Testing

@testable import AdminAPI

/// Lists of an app that is larger than the quota allows: 10,000 versions of 1,000 packs.
@Suite struct ListSpeedTests {
  /// Milliseconds of this thread's CPU that one request may take. Without optimization it only must not grow with the
  /// number of versions.
  #if DEBUG
    private static let limit = 400.0
  #else
    private static let limit = 20.0
  #endif

  @Test func listsOfTenThousandVersionsTakeLittleTime() throws {
    let fixture = try APIFixture()
    try fixture.fill(packs: 1000, versions: 10)
    let app = try fixture.store.apps().items[0].id
    let list = "/v1/apps/\(app)/backgroundAssets"
    let middle = try #require(fixture.get("\(list)?sort=assetPackIdentifier&limit=200").next)
    let pack = fixture.get("\(list)?limit=1").ids[0]
    let targets = [
      list, "\(list)?limit=200", "\(list)?sort=-assetPackIdentifier", middle,
      "\(list)?filter[assetPackIdentifier]=pack-1-27,pack-2-54&filter[archived]=false",
      "\(list)?include=internalBetaVersion,externalBetaVersion,appStoreVersion,app",
      "\(list)?include=versions&limit[versions]=1",
      "/v1/backgroundAssets/\(pack)/versions?include=backgroundAsset,"
        + "internalBetaRelease,externalBetaRelease,appStoreRelease,assetFile",
      "/v1/backgroundAssets/\(pack)/versions?filter[internalBetaRelease.state]=READY_FOR_TESTING&sort=version",
    ]
    for target in targets {
      var best = Double.infinity
      for _ in 0..<5 {
        let start = Self.milliseconds()
        let reply = fixture.get(target)
        best = min(best, Self.milliseconds() - start)
        #expect(reply.status == 200)
      }
      #expect(best < Self.limit, "\(target) takes \(best) ms")
      #if !DEBUG
        print("\(target.replacing(app, with: "…").replacing(pack, with: "…")): \(best) ms")
      #endif
    }
  }

  private static func milliseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
  }
}
