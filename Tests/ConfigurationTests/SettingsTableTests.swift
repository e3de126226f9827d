import AssetPacks
import Configuration
import Daemon
import HTTPServer
import JSONText
import Testing
import Development

/// What holds for every row, so that a new one is tested without a new test.
struct SettingsTableTests {
  private static let required: [(String, JSONValue)] = [
    ("stateDirectory", "/s"), ("publicBaseURL", "https://packs.example.com"),
    ("listeners.client.certificate", "c.pem"), ("listeners.client.privateKey", "k.pem"),
  ]
  /// Keys that others need beside them.
  private static let company: [(String, JSONValue)] = [
    ("listeners.client.trustedProxies", ["192.0.2.1"]), ("listeners.admin.certificate", "ac.pem"),
    ("listeners.admin.privateKey", "ak.pem"), ("developmentOverride.app", "com.example.game"),
  ]
  /// One of these suits each kind and is no default.
  private static let candidates: [JSONValue] = [
    "/elsewhere", "https://elsewhere.example.com", ["127.0.0.1:4711"], ["10.0.0.0/8"], ["hooks.example.com"],
    [["certificate": "d.pem", "privateKey": "e.pem"]], true, false, 3, "17 s", "7 min", "70 KiB", "off", "beta", "odr",
    "debug", "com.example.other",
  ]
  private static let table = SettingsTable.all

  private func parse(_ members: [(String, JSONValue)]) throws(ConfigurationFailure) -> ServiceSettings {
    var root = JSONValue.object(JSONObject())
    for (keyPath, value) in members { set(keyPath.split(separator: ".")[...], value, in: &root) }
    return try ServiceSettings(configuration: root.serialize(), file: "p.json")
  }

  private func set(_ path: ArraySlice<Substring>, _ value: JSONValue, in parent: inout JSONValue) {
    guard let name = path.first.map(String.init) else { return parent = value }
    var object = parent.object ?? JSONObject()
    var member = object[name] ?? .object(JSONObject())
    set(path.dropFirst(), value, in: &member)
    object.set(name, member)
    parent = .object(object)
  }

  private func differences(_ a: ServiceSettings, _ b: ServiceSettings) -> [String] {
    Self.table.keys.filter { $0.differs(a, b) }.map(\.keyPath)
  }

  @Test(arguments: table.keys.map(\.keyPath))
  func aValueInTheFileChangesItsPropertyAndNoOther(_ keyPath: String) throws {
    let base = Self.required + Self.company
    let before = try parse(base)
    let after = Self.candidates.lazy.compactMap { try? parse(base + [(keyPath, $0)]) }
      .first { !differences(before, $0).isEmpty }
    let settings = try #require(after, "no candidate suits \(keyPath): add one to the list above")
    #expect(differences(before, settings) == [keyPath])
  }

  @Test(arguments: table.keys.map(\.keyPath))
  func theDefaultIsAllowedAndIsWhatAFileWithoutTheKeyGives(_ keyPath: String) throws {
    let key = try #require(Self.table.keys.first { $0.keyPath == keyPath })
    guard case .value(let value) = key.absence else { return }
    let file = Self.required + (keyPath.hasPrefix("developmentOverride.") ? Self.company : [])
    #expect(differences(try parse(file), try parse(file + [(keyPath, value)])) == [])
  }

  @Test func settingsWithoutAFileHaveTheDefaults() throws {
    let made = ServiceSettings(
      stateDirectory: "/s", publicBaseURL: "https://packs.example.com",
      clientListeners: [HTTPServer.Binding(host: "*", port: 443)],
      adminListeners: [HTTPServer.Binding(host: "127.0.0.1", port: 8444)],
      certificate: CertificateFiles(certificate: "c.pem", privateKey: "k.pem"))
    #expect(differences(made, try parse(Self.required)) == [])
    #expect(made.packSizeLimit == 8_000_000_000 && made.freeSpace == 256_000_000)
    #expect(made.processing.decodedBytes == 32_000_000_000 && made.workers == 4)
    #expect(Deadline.allCases.allSatisfy { made.deadlines[$0] == $0.defaultSeconds })
  }

  @Test func developmentHasTheSameLimits() throws {
    let settings = DevelopmentServer.settings(
      DevelopmentOptions(toolsVersion: "1"), publicBaseURL: "https://localhost:1",
      listen: HTTPServer.Binding(host: "::1", port: 1),
      admin: HTTPServer.Binding(host: "::1", port: 2), certificate: CertificateFiles(certificate: "d", privateKey: "e"))
    #expect(
      differences(settings, try parse(Self.required)) == [
        "stateDirectory", "publicBaseURL", "listeners.client.addresses", "listeners.client.certificate",
        "listeners.client.privateKey", "listeners.admin.addresses", "developmentOverride.app",
        "developmentOverride.track", "accessLog", "drainGrace", "log.level",
      ])
  }

  @Test func whatWaitsForARestartIsNamedByKey() throws {
    let old = try parse(Self.required)
    let new = try parse(
      Self.required.dropLast() + [
        ("listeners.client.privateKey", "new.pem"), ("limits.packSize", "1 GB"), ("tls.sealRecords", "off"),
        ("developmentOverride.app", "com.example.game"), ("deadlines.upload", "1 d"),
      ])
    #expect(
      Self.table.restartOnlyDifferences(old, new) == ["tls.sealRecords", "limits.packSize", "deadlines.upload"])
    #expect(Self.table.restartOnlyDifferences(old, old) == [])
  }

  @Test func eachKeyStandsOnceAndEachRuleHasARow() {
    #expect(Set(Self.table.keys.map(\.keyPath)).count == Self.table.keys.count)
    #expect(Set(Self.table.keys.map { $0.place as AnyKeyPath }).count == Self.table.keys.count)
    for rule in Self.table.rules { #expect(Self.table.keys.contains { $0.place == rule.place }) }
  }
}
