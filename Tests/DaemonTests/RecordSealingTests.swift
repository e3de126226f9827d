import Observability
import SystemIO
import Testing

@testable import Daemon
@testable import TLS

/// The daemon's own encryption of TLS 1.3 records: on, off, and where its self-test fails.
@Suite struct RecordSealingTests {
  private static let metric = "packhouse_tls_record_sealing"

  /// Whether packs and ranges arrive as they were pushed.
  private func downloads(_ daemon: TestDaemon) throws -> Bool {
    let admin = daemon.admin()
    let app = try admin.app()
    let bytes = try Packs.make("p", Packs.noise(300_000))
    _ = try admin.push("p", bytes, app: app)
    _ = try admin.release([("p", nil)], app: app).expect(201)
    let web = daemon.client()
    let path = "/apps/\(TestDaemon.app)/packs/1/p"
    let whole = try web.get(path).body
    let range = try web.get(path, [("Range", "bytes=16383-99999")]).body
    return whole == bytes && range.elementsEqual(bytes[16_383...99_999])
  }

  private func expect(_ state: RecordSealingDecision.State, _ daemon: TestDaemon) throws {
    let text = try PrometheusText(try daemon.admin().get("/metrics").expect(200).body)
    for other in RecordSealingDecision.State.allCases {
      #expect(text.value(Self.metric, ["state": other.rawValue]) == (other == state ? 1 : 0), "\(other)")
    }
  }

  @Test func itIsOnWhenNothingIsSaid() throws {
    let daemon = try TestDaemon.service()
    #expect(try downloads(daemon))
    try expect(.on, daemon)
    #expect(!daemon.process.errors.contains("self-test"))
  }

  /// An OpenSSL that is configured for TLS 1.2 hands no keys over.
  @Test func aSelfTestThatFailsIsToldAndDownloadsGoOn() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "openssl.cnf",
      """
      openssl_conf = first
      [first]
      ssl_conf = second
      [second]
      system_default = third
      [third]
      MaxProtocol = TLSv1.2
      """)
    let daemon = try TestDaemon.service(environment: ["OPENSSL_CONF": file])
    #expect(try downloads(daemon))
    try expect(.selfTestFailed, daemon)
    #expect(daemon.process.errors.contains("packhouse: warning: OpenSSL makes the TLS 1.3 records of this process"))
    #expect(daemon.process.errors.contains("OpenSSL did not hand over the write keys"))
  }

  @Test(arguments: RecordSealing.allCases) func certificatesComeWithWhatWasDecided(wish: RecordSealing) throws {
    let decision = RecordSealingDecision(wish)
    let (folder, files, _) = try certificate()
    defer { withExtendedLifetime(folder) {} }
    let listener = ListenerFiles(name: "client", pairs: [files])
    let keeper = try CertificateKeeper(
      [listener, listener], loopCount: 2, sealing: decision, log: Log(threshold: .error))
    #expect(keeper.contexts.map(\.sealsRecords) == [wish == .auto, wish == .auto])
    // Those that come later as well.
    let content = try listener.load(
      now: WallClock.system.now(), tickets: nil, loopCount: 1, sealsRecords: keeper.sealing.sealsRecords)
    #expect(content.context.sealsRecords == (wish == .auto))
  }

  @Test func whereItIsSwitchedOffTheServiceSaysSoAndServes() throws {
    let (folder, files, authority) = try certificate()
    let port = try Ports.take()
    var settings = ServiceSettings(
      stateDirectory: folder.file("state"), publicBaseURL: "https://localhost:\(port)",
      clientListeners: [.init(host: "127.0.0.1", port: port)],
      adminListeners: [.init(host: "127.0.0.1", port: try Ports.take())], certificate: files)
    settings.sealRecords = .off
    settings.drainGrace = 1
    settings.logLevel = .error
    let service = try Service(settings)
    defer { withExtendedLifetime(folder) { service.stop() } }
    #expect(service.readings.recordSealing == .configuredOff)
    let answer = try WebClient("https://localhost:\(port)", authority.trust).get("/nothing")
    // No app allows the host yet: the answer came over TLS all the same.
    #expect(answer.status == 421)
  }

  private func certificate() throws -> (TemporaryFolder, CertificateFiles, TestAuthority) {
    let folder = try TemporaryFolder()
    let authority = try TestAuthority()
    try authority.issue(into: folder)
    let files = CertificateFiles(certificate: folder.file("leaf.pem"), privateKey: folder.file("leaf.key"))
    return (folder, files, authority)
  }
}
