import AssetPacks
import Configuration
import Daemon
import Foundation
import HTTPServer
import Observability
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
      _ = try ServiceSettings(configuration: Array(text.utf8), file: "p.json")
      return []
    } catch {
      return error.sentence.split(separator: "\n").map(String.init)
    }
  }

  @Test func theExampleParsesAndShowsEveryDefault() throws {
    let example = try String(contentsOf: Self.root.appending(path: "config/packhouse.json"), encoding: .utf8)
    let settings = try ServiceSettings(configuration: Array(example.utf8), file: "packhouse.json")
    #expect(settings.stateDirectory == "/var/lib/packhouse")
    #expect(settings.clientCertificate.certificate.hasPrefix("/etc/packhouse/"))
    #expect(settings.adminCertificate == settings.clientCertificate)
    #expect(settings.clientListeners == [HTTPServer.Binding(host: "*", port: 443)])
    #expect(settings.adminListeners == [HTTPServer.Binding(host: "127.0.0.1", port: 8444)])
    #expect(settings.development == nil)
    #expect(settings.accessLog == .standardError)
    #expect(settings.logLevel == .info)

    // With the commented keys switched on, only the values that have no constant default change.
    let lines = example.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2).map { line in
      guard let comment = line.range(of: "// "), line[..<comment.lowerBound].allSatisfy({ $0 == " " }) else {
        return line
      }
      let rest = line[comment.upperBound...].drop { $0 == " " }
      let isKey = rest.firstMatch(of: /^[a-zA-Z]+: |^\},/) != nil
      return isKey ? rest : line
    }
    let complete = try ServiceSettings(configuration: Array(lines.joined(separator: "\n").utf8), file: "complete")
    #expect(complete.development?.bundleID == "com.example.game" && complete.development?.track == .internal)
    #expect(complete.adminCertificate.certificate == "/etc/packhouse/tls/admin.pem")
    #expect(
      SettingsTable.all.keys.filter { $0.differs(settings, complete) }.map(\.keyPath) == [
        "listeners.admin.certificate", "listeners.admin.privateKey", "listeners.admin.clientAuthority",
        "developmentOverride.app",
      ])
  }

  /// With PACKHOUSE_WRITE_DOCS set, the file is written instead of compared.
  @Test func referenceEqualsTheKeyTable() throws {
    let file = Self.root.appending(path: "docs/configuration.md")
    let printed = SettingsTable.all.reference()
    if ProcessInfo.processInfo.environment["PACKHOUSE_WRITE_DOCS"] != nil {
      try printed.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == printed)
  }

  @Test func readsEveryKind() throws {
    let text =
      Self.minimal + """
        tls: { sealRecords: "off" },
        loops: 2, workers: 0x10, accessLog: "/var/log/p.log", drainGrace: "0 s", log: { level: 'debug' },
        limits: { packSize: 1000, partSize: "1mib", idleTime: "1500ms", minimumRate: { bytesPerSecond: 0 } },
        developmentOverride: { app: "com.example.game" },
        }
        """
    let settings = try ServiceSettings(configuration: Array(text.utf8), file: "p.json")
    #expect(settings.loops == 2 && settings.workers == 16)
    #expect(settings.accessLog == .file("/var/log/p.log"))
    #expect(settings.drainGrace == 0)
    #expect(settings.logLevel == .debug)
    #expect(settings.packSizeLimit == 1000)
    #expect(settings.partSize == 1 << 20)
    // Rounded up.
    #expect(settings.limits.idleTime == 2)
    #expect(settings.limits.minimumRate == 0)
    #expect(settings.limits.rateWindow == 60)
    #expect(settings.processing.blockSize == 64 << 20)
    #expect(settings.development?.track == .internal)
    #expect(settings.sealRecords == .off)
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
        + "\"tls\", \"loops\", \"workers\", \"limits\", \"quota\", \"retention\", \"developmentOverride\", "
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
    let settings = try ServiceSettings(configuration: Array(text.utf8), file: "p.json")
    #expect(settings.moreClientCertificates == [CertificateFiles(certificate: "d.pem", privateKey: "e.pem")])
    #expect(settings.trustedProxies.count == 4 && settings.proxyProtocol)
    #expect(settings.adminClientAuthority == "ca.pem")
    #expect(settings.metricsAreOpen)
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

  @Test(arguments: [
    (
      "publicBaseURL: 'https://packs.example.com:99999'", "publicBaseURL",
      "expected a host, and after a colon a port up to 65535"
    ),
    (
      "listeners: { client: { certificate: 'c', privateKey: 'k', trustedProxies: ['10.0.0.1/8'] } }",
      "listeners.client.trustedProxies[0]",
      "expected an IP address or a network with no bits set after its prefix, found \"10.0.0.1/8\""
    ),
    ("developmentOverride: { app: 'a b' }", "developmentOverride.app", "\"a b\" is not a bundle ID"),
    ("webhooks: { hosts: ['*'] }", "webhooks.hosts", "is not an entry of a domain allow-list"),
  ])
  func whatTheDomainRefusesIsAFaultLikeOthers(_ member: String, _ keyPath: String, _ problem: String) throws {
    var members = [
      "stateDirectory: 's'", "publicBaseURL: 'https://packs.example.com'",
      "listeners: { client: { certificate: 'c', privateKey: 'k' } }", "loops: -1",
    ]
    members.removeAll { $0.prefix { $0 != ":" } == member.prefix { $0 != ":" } }
    let found = faults("{\n" + (members + [member]).joined(separator: ",\n") + "}")
    #expect(found.count == 2 && found.contains { $0.contains(": loops: ") })
    let fault = try #require(found.last)
    #expect(fault.hasPrefix("p.json:\(members.count + 2):") && fault.contains(": \(keyPath): "))
    #expect(fault.contains(problem), "\(fault)")
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
  private func parse(_ more: String) throws -> ServiceSettings {
    let text = """
      {
        stateDirectory: "/s", publicBaseURL: "https://packs.example.com",
        listeners: { client: { certificate: "c", privateKey: "k" } }, \(more)
      }
      """
    return try ServiceSettings(configuration: Array(text.utf8), file: "p.json")
  }

  @Test func presetsAndNumbersAreRead() throws {
    let plain = try parse("")
    #expect(plain.quota.preset == .apple && plain.quota.isEnforced)
    #expect(plain.quota.bytes == nil && plain.quota.packs == nil && plain.serverQuota == nil)
    #expect(plain.quota.quota == Quota(.apple))
    #expect(plain.retention.supersededVersions == 5 && plain.retention.archiveTime == 30 * 86_400)
    let full = try parse(
      "quota: { preset: 'odr-ios18', bytes: '50 GB', packs: 7, enforced: false, serverBytes: 1000 }, "
        + "retention: { supersededVersions: 1, supersededTime: '0 s', grace: '1 h', archiveTime: '2 d' }")
    #expect(full.quota.preset == .odrIOS18 && full.quota.bytes == 50_000_000_000 && full.quota.packs == 7)
    #expect(!full.quota.isEnforced && full.serverQuota == 1000)
    #expect(full.retention.supersededTime == 0 && full.retention.grace == 3600)
    // Numbers of one's own make it a custom quota; the largest pack stays the preset's.
    let quota = full.quota.quota
    #expect(quota.preset == .custom && quota.maximumBytes == 50_000_000_000 && quota.maximumPacks == 7)
    #expect(quota.maximumPackBytes == 8_000_000_000 && !quota.isEnforced)
  }

  @Test(arguments: [
    "quota: { preset: 'azure' }", "quota: { bytes: '1 floppy' }", "quota: { packs: -1 }", "quota: { size: 1 }",
    "retention: { supersededVersions: 0 }", "retention: { grace: 7 }", "retention: { archiveTime: '11000 d' }",
  ])
  func whatIsNotAllowedIsRefused(text: String) {
    #expect(throws: ConfigurationFailure.self) { _ = try parse(text) }
  }
}
