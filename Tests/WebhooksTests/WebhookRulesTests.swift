import AssetPacks
import EventLoop
import HTTPClient
import Testing

@testable import Webhooks

@Suite struct WebhookRulesTests {
  private func rules(_ hosts: [String]) throws -> WebhookRules {
    var rules = WebhookRules()
    if !hosts.isEmpty { rules.hosts = try DomainAllowList(hosts) }
    return rules
  }

  @Test func onlyHTTPSToAnAllowedHostIsATarget() throws {
    let rules = try rules(["hooks.example.com", "*.ci.example.com", "192.168.1.2", "8.8.8.8"])
    for url in [
      "https://hooks.example.com", "https://HOOKS.example.com:8443/a?b=c", "https://a.ci.example.com/x",
      "https://8.8.8.8/",
    ] { #expect(throws: Never.self) { _ = try rules.target(url) } }
    for url in [
      "", "http://hooks.example.com/", "ftp://hooks.example.com/", "https://example.com/", "https://ci.example.com/",
      "https://hooks.example.com.evil.net/", "https://user@hooks.example.com/", "https://evil.net/#hooks.example.com",
      "https://hooks.example.com@evil.net/", "//hooks.example.com/", "https://hooks.example.com\\@evil.net/",
    ] { #expect(throws: WebhookFailure.self, "\(url)") { _ = try rules.target(url) } }
    #expect(throws: WebhookFailure.addressNotAllowed("192.168.1.2")) { _ = try rules.target("https://192.168.1.2/") }
    #expect(throws: WebhookFailure.hostNotAllowed(host: "a.example", allowed: [])) {
      _ = try self.rules([]).target("https://a.example/")
    }
  }

  @Test func onlyAddressesOfThePublicInternetAreConnectedTo() throws {
    var rules = WebhookRules()
    let refused = [
      "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.255.0.1", "169.254.169.254", "172.16.0.1",
      "172.31.255.255", "192.168.0.1", "198.18.0.1", "224.0.0.1", "255.255.255.255", "::", "::1", "::ffff:127.0.0.1",
      "::ffff:10.0.0.1", "::127.0.0.1", "fe80::1", "fc00::1", "fd12::1", "ff02::1", "64:ff9b::7f00:1", "2002:7f00:1::",
      "2001:db8::1", "2001::1", "100::1",
    ]
    for text in refused { #expect(!rules.admits(try #require(IPAddress(text))), "\(text)") }
    for text in ["8.8.8.8", "172.32.0.1", "100.128.0.1", "2a00:1450::1", "2606:4700::1111", "::ffff:8.8.8.8"] {
      #expect(rules.admits(try #require(IPAddress(text))), "\(text)")
    }
    rules.privateNetworks = [try #require(AddressRange("127.0.0.0/8"))]
    #expect(rules.admits(try #require(IPAddress("127.0.0.1"))))
    #expect(!rules.admits(try #require(IPAddress("10.0.0.1"))))
  }

  @Test func pausesGrowToAnHourAndDiffer() {
    var rules = WebhookRules()
    rules.firstRetry = 10
    for (attempts, range) in [
      (1, 5...10), (2, 10...20), (5, 80...160), (9, 1280...2560), (10, 1800...3600), (99, 1800...3600),
    ] {
      for _ in 0..<50 { #expect(range.contains(Int(rules.pause(after: attempts)))) }
    }
    #expect(Set((0..<50).map { _ in rules.pause(after: 20) }).count > 10)
    rules.firstRetry = 1
    #expect(rules.pause(after: 1) == 1)
  }

  @Test func theSignatureIsTheOneOfTheDocumentation() {
    // printf '1800000000.{}' | openssl dgst -sha256 -hmac 0123456789abcdef
    let value = WebhookSignature.value(secret: "0123456789abcdef", timestamp: 1_800_000_000, body: Array("{}".utf8))
    #expect(value == "hmacsha256=1313ae9c874eb1a0868ad0b65f841c4243c23fdcfad69a3ada227726fad9960e")
  }

  @Test func namesOfPayloadsFollowThoseOfEvents() {
    #expect(WebhookEventType.versionStateUpdated.payloadType == "backgroundAssetVersionStateUpdated")
    #expect(
      WebhookEventType.internalReleaseCreated.payloadType == "backgroundAssetVersionInternalBetaReleaseCreated")
    #expect(!WebhookEventType.selectable.contains(.ping))
  }
}
