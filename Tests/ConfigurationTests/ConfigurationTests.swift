import Configuration
import Foundation
import Testing

struct ConfigurationTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
  private static let minimal = """
    {
      stateDirectory: "/s", publicBaseURL: "https://packs.example.com",
      listeners: { client: { certificate: "c.pem", privateKey: "k.pem" } },
    """

  private func faults(_ text: String) -> [String] {
    do {
      _ = try Configuration.parse(Array(text.utf8), fileName: "p.json")
      return []
    } catch {
      return error.sentence.split(separator: "\n").map(String.init)
    }
  }

  @Test func theExampleParsesAndShowsEveryDefault() throws {
    let example = try String(contentsOf: Self.root.appending(path: "config/packhouse.json"), encoding: .utf8)
    let configuration = try Configuration.parse(Array(example.utf8), fileName: "packhouse.json")
    #expect(configuration.stateDirectory == "/var/lib/packhouse")
    #expect(configuration.listeners.client.certificate.hasPrefix("/etc/packhouse/"))
    #expect(configuration.listeners.admin.certificate == configuration.listeners.client.certificate)
    #expect(configuration.listeners.admin.privateKey == configuration.listeners.client.privateKey)
    #expect(configuration.listeners.client.addresses.map(\.description) == ["*:443"])
    #expect(configuration.listeners.admin.addresses.map(\.description) == ["127.0.0.1:8444"])
    #expect(configuration.developmentOverride == nil)
    #expect(configuration.accessLog == .standardError)
    #expect(configuration.logLevel == .info)

    // With the commented keys switched on, only the values that have no constant default change.
    let lines = example.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2).map { line in
      guard let comment = line.range(of: "// "), line[..<comment.lowerBound].allSatisfy({ $0 == " " }) else {
        return line
      }
      let rest = line[comment.upperBound...].drop { $0 == " " }
      let isKey = rest.firstMatch(of: /^[a-zA-Z]+: |^\},/) != nil
      return isKey ? rest : line
    }
    var complete = try Configuration.parse(Array(lines.joined(separator: "\n").utf8), fileName: "complete")
    #expect(
      complete.developmentOverride == Configuration.DevelopmentOverride(app: "com.example.game", track: "internal"))
    #expect(complete.listeners.admin.certificate == "/etc/packhouse/tls/admin.pem")
    complete.developmentOverride = nil
    complete.listeners.admin = configuration.listeners.admin
    #expect(complete == configuration)
  }

  /// With PACKHOUSE_WRITE_DOCS set, the file is written instead of compared.
  @Test func referenceEqualsTheKeyTable() throws {
    let file = Self.root.appending(path: "docs/configuration.md")
    let printed = ConfigurationReference.markdown()
    if ProcessInfo.processInfo.environment["PACKHOUSE_WRITE_DOCS"] != nil {
      try printed.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == printed)
  }

  @Test func readsEveryKind() throws {
    let text =
      Self.minimal + """
        loops: 2, workers: 0x10, accessLog: "/var/log/p.log", drainGrace: "0 s", log: { level: 'debug' },
        limits: { packSize: 1000, partSize: "1mib", idleTime: "1500ms", minimumRate: { bytesPerSecond: 0 } },
        developmentOverride: { app: "com.example.game" },
        }
        """
    let configuration = try Configuration.parse(Array(text.utf8), fileName: "p.json")
    #expect(configuration.loops == 2 && configuration.workers == 16)
    #expect(configuration.accessLog == .file("/var/log/p.log"))
    #expect(configuration.drainGrace.milliseconds == 0)
    #expect(configuration.logLevel == .debug)
    #expect(configuration.limits.packSize.bytes == 1000)
    #expect(configuration.limits.partSize.bytes == 1 << 20)
    #expect(configuration.limits.idleTime.milliseconds == 1500)
    #expect(configuration.limits.idleTime.seconds == 2)
    #expect(configuration.limits.minimumRate.bytesPerSecond.bytes == 0)
    #expect(configuration.limits.minimumRate.window.seconds == 60)
    #expect(configuration.limits.blockSize.bytes == 64 << 20)
    #expect(configuration.developmentOverride?.track == "internal")
  }

  @Test func everyFaultIsReportedAtOnce() {
    let text = """
      {
        stateDir: "/s",
        publicBaseURL: "http://a",
        listeners: {
          client: { addresses: ["localhost:1", "*:443", "*:443", 5], certificate: "" },
          admin: { certificate: "a.pem", port: 1 },
        },
        loops: -1,
        workers: "4",
        limits: {
          requestHaed: "16 KiB", headerTime: 10, idleTime: "1 week", packSize: "1.5 GB", adminBody: "1 B",
          connections: 10, connectionsPerAddress: 20, minimumRate: "1 KiB", entries: 3.0,
        },
        developmentOverride: { track: "prod" },
        accessLog: false,
        log: { level: "verbose" },
      }
      """
    let expected = [
      "p.json:1:1: stateDirectory: this key is required: expected a path, found nothing",
      "p.json:2:3: stateDir: unknown key \"stateDir\", known are \"stateDirectory\", \"publicBaseURL\", \"listeners\", "
        + "\"loops\", \"workers\", \"limits\", \"quota\", \"retention\", \"developmentOverride\", "
        + "\"authentication\", \"webhooks\", "
        + "\"accessLog\", \"metrics\", \"deadlines\", \"drainGrace\", \"log\"",
      "p.json:3:3: publicBaseURL: expected an https URL, found \"http://a\"",
      "p.json:5:5: listeners.client.privateKey: this key is required: expected a path, found nothing",
      "p.json:5:27: listeners.client.addresses[0]: expected an IP address or * with a port, such as "
        + "\"127.0.0.1:8443\", found \"localhost:1\"",
      "p.json:5:51: listeners.client.addresses[2]: expected each address once, found \"*:443\" again",
      "p.json:5:60: listeners.client.addresses[3]: expected an IP address or * with a port, such as "
        + "\"127.0.0.1:8443\", found 5",
      "p.json:5:64: listeners.client.certificate: expected a path, found \"\"",
      "p.json:6:5: listeners.admin.privateKey: expected a path beside listeners.admin.certificate, found nothing; "
        + "leave both out to use the client listener's",
      "p.json:6:36: listeners.admin.port: unknown key \"port\", known are \"addresses\", \"certificate\", "
        + "\"privateKey\", \"clientAuthority\"",
      "p.json:8:3: loops: expected an integer from 0 to 256, found -1",
      "p.json:9:3: workers: expected an integer from 1 to 256, found \"4\"",
      "p.json:11:5: limits.requestHaed: unknown key \"requestHaed\", did you mean \"requestHead\"?",
      "p.json:11:28: limits.headerTime: expected a time from 1 s to 10 min, such as \"30 s\", found 10",
      "p.json:11:44: limits.idleTime: expected a time from 1 s to 1 h, such as \"30 s\", found \"1 week\"",
      "p.json:11:64: limits.packSize: expected a size from 1 B to 1 TB, such as \"16 KiB\", found \"1.5 GB\"",
      "p.json:11:84: limits.adminBody: expected a size from 1 KiB to 64 MiB, such as \"16 KiB\", found \"1 B\"",
      "p.json:12:22: limits.connectionsPerAddress: expected at most limits.connections (10), found 20",
      "p.json:12:49: limits.minimumRate: expected an object, found \"1 KiB\"",
      "p.json:12:71: limits.entries: expected an integer from 1 to 10000000, found 3.0",
      "p.json:14:3: developmentOverride.app: this key is required: expected a text, found nothing",
      "p.json:14:26: developmentOverride.track: expected one of \"production\", \"beta\", \"internal\", found \"prod\"",
      "p.json:15:3: accessLog: expected \"off\", \"stderr\" or a path, found a boolean",
      "p.json:16:10: log.level: expected one of \"error\", \"warning\", \"info\", \"debug\", found \"verbose\"",
    ]
    let found = faults(text)
    for (found, expected) in zip(found, expected) { #expect(found == expected) }
    #expect(found.count == expected.count)
  }

  @Test func aListenerMayHaveMoreCertificatesAndProxies() throws {
    let text = """
      {
        stateDirectory: "/s", publicBaseURL: "https://packs.example.com",
        listeners: {
          client: {
            certificate: "c.pem", privateKey: "k.pem",
            certificates: [{ certificate: "d.pem", privateKey: "e.pem" }],
            trustedProxies: ["10.0.0.0/8", "2001:db8::/32", "192.0.2.1", "::1"], proxyProtocol: true,
          },
          admin: { clientAuthority: "ca.pem" },
        },
        metrics: { open: true },
      }
      """
    let configuration = try Configuration.parse(Array(text.utf8), fileName: "p.json")
    let client = configuration.listeners.client
    #expect(client.certificates == [.init(certificate: "d.pem", privateKey: "e.pem")])
    #expect(client.trustedProxies.count == 4 && client.proxyProtocol)
    #expect(configuration.listeners.admin.clientAuthority == "ca.pem")
    #expect(configuration.metricsAreOpen)
  }

  @Test func faultsInListsNameTheirElement() {
    let text = """
      {
        stateDirectory: "/s", publicBaseURL: "https://packs.example.com",
        listeners: { client: { certificate: "c", privateKey: "k",
          certificates: [1, { certificate: "" }, { certificate: "a", privateKey: "b", chain: "c" }],
          trustedProxies: ["10.0.0.0/33", "*", "proxy.example.com", 7, "10.0.0.0/8"],
        } },
        metrics: { open: "yes" },
      }
      """
    let network = "expected an IP address or a network such as \"10.0.0.0/8\" or \"2001:db8::/32\", found"
    let place = "listeners.client.certificates"
    let expected = [
      "p.json:4:20: \(place)[0]: expected an object with certificate and privateKey, found 1",
      "p.json:4:23: \(place)[1].privateKey: this key is required: expected a path, found nothing",
      "p.json:4:25: \(place)[1].certificate: expected a path, found \"\"",
      "p.json:4:81: \(place)[2].chain: unknown key \"chain\", known are \"certificate\", \"privateKey\"",
      "p.json:5:22: listeners.client.trustedProxies[0]: \(network) \"10.0.0.0/33\"",
      "p.json:5:37: listeners.client.trustedProxies[1]: \(network) \"*\"",
      "p.json:5:42: listeners.client.trustedProxies[2]: \(network) \"proxy.example.com\"",
      "p.json:5:63: listeners.client.trustedProxies[3]: \(network) 7",
      "p.json:7:14: metrics.open: expected true or false, found \"yes\"",
    ]
    let found = faults(text)
    for (found, expected) in zip(found, expected) { #expect(found == expected) }
    #expect(found.count == expected.count)
    let alone = faults(
      Self.minimal.replacing("privateKey: \"k.pem\"", with: "privateKey: 'k', proxyProtocol: true") + "}")
    #expect(alone.first?.contains("expected listeners.client.trustedProxies beside it, found none") == true)
  }

  @Test func otherTextsAreRefused() {
    #expect(faults("") == ["p.json:1:1: expected a value, found the end of the document"])
    #expect(faults("[]") == ["p.json:1:1: expected an object, found an empty array"])
    #expect(
      faults(Self.minimal + "\n stateDirectory: 1}")
        == ["p.json:4:2: expected each key once, found the key \"stateDirectory\" a second time"])
    #expect(faults("{}").count == 4)
    #expect(
      faults("{listeners: {client: 1}, stateDirectory: 's', publicBaseURL: 'https://a'}")
        == ["p.json:1:14: listeners.client: expected an object, found 1"])
    #expect(
      faults(Self.minimal + "limits: { connectionsPerAddress: 20000 } }").first?.hasSuffix("(10000), found 20000")
        == true)
    #expect(faults(Self.minimal + "limits: { connections: 100 } }").isEmpty)
  }
}

@Suite struct QuotaConfigurationTests {
  private func parse(_ more: String) throws -> Configuration {
    let text = """
      {
        stateDirectory: "/s", publicBaseURL: "https://packs.example.com",
        listeners: { client: { certificate: "c", privateKey: "k" } }, \(more)
      }
      """
    return try Configuration.parse(Array(text.utf8), fileName: "p.json")
  }

  @Test func presetsAndNumbersAreRead() throws {
    let plain = try parse("")
    #expect(plain.quota.preset == "apple" && plain.quota.enforced)
    #expect(plain.quota.bytes == nil && plain.quota.packs == nil && plain.quota.serverBytes == nil)
    #expect(plain.retention.supersededVersions == 5 && plain.retention.archiveTime.description == "30 d")
    let full = try parse(
      "quota: { preset: 'odr-ios18', bytes: '50 GB', packs: 7, enforced: false, serverBytes: 1000 }, "
        + "retention: { supersededVersions: 1, supersededTime: '0 s', grace: '1 h', archiveTime: '2 d' }")
    #expect(full.quota.preset == "odr-ios18" && full.quota.bytes?.bytes == 50_000_000_000 && full.quota.packs == 7)
    #expect(!full.quota.enforced && full.quota.serverBytes?.bytes == 1000)
    #expect(full.retention.supersededTime.seconds == 0 && full.retention.grace.seconds == 3600)
  }

  @Test(arguments: [
    "quota: { preset: 'azure' }", "quota: { bytes: '1 floppy' }", "quota: { packs: -1 }", "quota: { size: 1 }",
    "retention: { supersededVersions: 0 }", "retention: { grace: 7 }", "retention: { archiveTime: '11000 d' }",
  ])
  func whatIsNotAllowedIsRefused(text: String) {
    #expect(throws: ConfigurationFailure.self) { _ = try parse(text) }
  }
}
