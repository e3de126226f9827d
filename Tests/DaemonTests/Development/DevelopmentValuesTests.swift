@testable import PackStore
import SystemIO
import Testing
import TestSupport

@testable import Daemon
@testable import Development

/// The parts of a development server that need no server.
@Suite(.waits) struct DevelopmentValuesTests {
  private static let addresses = [
    LocalAddresses.Entry(interface: "eth0", text: "192.168.1.20", isIPv6: false),
    LocalAddresses.Entry(interface: "eth0", text: "2001:db8::20", isIPv6: true),
  ]
  private static let loopback = ["localhost", "127.0.0.1", "::1"]

  @Test(
    arguments: [
      ("127.0.0.1", "127.0.0.1", [], true), ("::1", "::1", [], true),
      ("0.0.0.0", "192.168.1.20", ["192.168.1.20", "studio.local"], false),
      ("*", "192.168.1.20", ["192.168.1.20", "studio.local"], false),
      ("::", "2001:db8::20", ["2001:db8::20", "studio.local"], false),
      ("10.0.0.7", "10.0.0.7", ["10.0.0.7", "studio.local"], false),
    ] as [(String, String, [String], Bool)])
  func theListeningAddressSaysWhoCanConnect(listen: String, host: String, more: [String], isLoopbackOnly: Bool) {
    let reach = DevelopmentReach(listen: listen, addresses: Self.addresses, hostName: "Studio.lan")
    #expect(reach.host == host)
    #expect(reach.names == Self.loopback + more)
    #expect(reach.isLoopbackOnly == isLoopbackOnly)
  }

  @Test func withoutANetworkItIsLocalhost() {
    let reach = DevelopmentReach(listen: "0.0.0.0", addresses: [], hostName: "bad_name")
    #expect(reach.host == "localhost")
    #expect(reach.names == Self.loopback)
  }

  @Test func cablesComeBeforeContainers() {
    let entries = [
      LocalAddresses.Entry(interface: "docker0", text: "172.17.0.1", isIPv6: false),
      LocalAddresses.Entry(interface: "wlan0", text: "fd00::1", isIPv6: true),
      LocalAddresses.Entry(interface: "wlan0", text: "10.1.1.1", isIPv6: false),
    ]
    #expect(LocalAddresses.sorted(entries).map(\.text) == ["10.1.1.1", "fd00::1", "172.17.0.1"])
    #expect(LocalAddresses.all().allSatisfy { !$0.text.hasPrefix("127.") && $0.text != "::1" })
  }

  private func event(
    _ kind: RequestEvent.Kind, _ status: UInt16, at time: Int64 = 0, target: String = "/",
    agent: String = "nsurlsessiond"
  ) -> RequestEvent {
    RequestEvent(
      time: time, method: "GET", target: target, host: "h:1", agent: agent, status: status, kind: kind, subject: "")
  }

  @Test func aManifestWithoutAPackIsRemarkableAfterAWhile() {
    func hints(_ events: [RequestEvent], now: Int64, failed: Int = 0) -> [String] {
      RequestHints(bundleID: "com.example.game", hosts: ["localhost"], failedHandshakes: failed, now: now)
        .sentences(events)
    }
    let manifest = event(.manifest, 200)
    #expect(hints([manifest], now: 5) == [])
    #expect(hints([manifest], now: 60).first?.contains("Local Network permission (error -1004)") == true)
    #expect(hints([manifest, event(.pack, 206, at: 1)], now: 60) == [])
    #expect(hints([event(.manifest, 200, agent: "Mozilla/5.0")], now: 60) == [])
    #expect(hints([manifest, event(.pack, 421, at: 1)], now: 60).count == 2)
    let gone = event(.other, 404, target: "/apps/com.example.game/packs/9/level-1")
    #expect(hints([gone], now: 60).first?.contains("type the override URL in again") == true)
    #expect(hints([], now: 60, failed: 2).first?.hasPrefix("2 TLS connections were broken off") == true)
    #expect(hints([manifest, event(.pack, 200)], now: 60, failed: 2) == [])
  }

  @Test func aWatchStaysBelowWhereTheSelectionStarts() {
    var watched = WatchedFiles()
    watched.add("/a/pack/Manifest.json", below: "/a/pack")
    watched.add("/a/pack/src/levels/1/x.bin", below: "/a/pack/src")
    #expect(watched.folders == ["/a/pack", "/a/pack/src", "/a/pack/src/levels", "/a/pack/src/levels/1"])
    var here = WatchedFiles()
    here.add("./Examples/One/x", below: ".")
    here.add("y", below: ".")
    #expect(here.folders == [".", "Examples", "Examples/One"])
    #expect(here.files == ["Examples/One/x", "y"])
  }

  @Test func diskAndIdentityHaveTheirSentences() {
    let packSize: Int64 = 8 << 30
    #expect(ConfigurationCheckup.diskSpace(free: 1 << 20, of: "state", packSize).level == .error)
    #expect(ConfigurationCheckup.diskSpace(free: 1 << 30, of: "state", packSize).level == .warning)
    #expect(ConfigurationCheckup.diskSpace(free: 1 << 40, of: "state", packSize).level == .ok)
    let other = ConfigurationCheckup.identity([1], [2], app: "com.example.game", baseURL: "https://packs.example.com")
    #expect(other.level == .error)
    #expect(
      other.sentence
        == "https://packs.example.com answers for com.example.game with a manifest that is not from this catalog.")
    let app = LiveState.App(
      id: "1", bundleID: "com.example.game", domainAllowList: ["*.example.com"], manifests: [], versions: [])
    #expect(ConfigurationCheckup.allowList(app, baseURL: "https://packs.example.com").level == .ok)
    #expect(
      ConfigurationCheckup.allowList(app, baseURL: "https://example.com").fix
        == "Add example.com to the app's domainAllowList over the admin API.")
  }

  @Test func theRingKeepsTheLatest() {
    var ring = RequestRing()
    for _ in 0..<(RequestRing.capacity + 5) { ring.add(event(.other, 200)) }
    let all = ring.all
    #expect(all.count == RequestRing.capacity)
    #expect(all.first?.number == 6)
    #expect(all.last?.number == RequestRing.capacity + 5)
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.number + 1 == $1.number })
  }
}
