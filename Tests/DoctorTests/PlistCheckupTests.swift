import PropertyLists
import Testing

@testable import Doctor

/// One thing that is wrong in an app, and what the doctor says about it.
struct BrokenList: Sendable, CustomTestStringConvertible {
  let name: String
  let changes: [String: PropertyList?]
  let check: String
  let sentence: String
  let fix: String
  var level = Finding.Level.error

  var testDescription: String { name }
}

@Suite struct PlistCheckupTests {
  private static let block = "Paste the block that packhouse doctor print-plist prints into the Info.plist."

  private static let broken: [BrokenList] = [
    BrokenList(
      name: "no restrictions", changes: ["BAInitialDownloadRestrictions": nil], check: "plist.restrictions",
      sentence: "BAInitialDownloadRestrictions is missing; without it the system ends a self-hosted managed app at its "
        + "first call.", fix: block),
    BrokenList(
      name: "restrictions of another type", changes: ["BAInitialDownloadRestrictions": .array([])],
      check: "plist.restrictions", sentence: "BAInitialDownloadRestrictions is an array, expected a dictionary.",
      fix: block),
    BrokenList(
      name: "no essential allowance", changes: [".BAEssentialDownloadAllowance": nil],
      check: "plist.essential-allowance",
      sentence: "BAInitialDownloadRestrictions has no BAEssentialDownloadAllowance; without it the system ends a "
        + "self-hosted managed app at its first call.", fix: "Set BAEssentialDownloadAllowance to 3000."),
    BrokenList(
      name: "essential allowance too low", changes: [".BAEssentialDownloadAllowance": .integer(2999)],
      check: "plist.essential-allowance",
      sentence: "BAEssentialDownloadAllowance is 2999, but the essential packs have 3000 bytes compressed, so that "
        + "devices refuse downloads (errors 203 and 204).", fix: "Set BAEssentialDownloadAllowance to 3000 or more."),
    BrokenList(
      name: "allowance too low", changes: [".BADownloadAllowance": .integer(0)], check: "plist.allowance",
      sentence: "BADownloadAllowance is 0, but the packs that are not essential have 5000 bytes compressed, so that "
        + "devices refuse downloads (errors 203 and 204).", fix: "Set BADownloadAllowance to 5000 or more."),
    BrokenList(
      name: "allowance as text", changes: [".BADownloadAllowance": .string("5000")], check: "plist.allowance",
      sentence: "BADownloadAllowance is a string, expected an integer.",
      fix: "Change the type of BADownloadAllowance to Number and its value to 5000."),
    BrokenList(
      name: "install size counted compressed", changes: ["BAMaxInstallSize": .integer(5000)],
      check: "plist.install-size",
      sentence: "BAMaxInstallSize is 5000, but the packs that are not essential have 10000 bytes unpacked.",
      fix: "Set BAMaxInstallSize to 10000 or more."),
    BrokenList(
      name: "no install size", changes: ["BAEssentialMaxInstallSize": nil],
      check: "plist.essential-install-size",
      sentence: "BAEssentialMaxInstallSize is missing; the store and the system read from it how much space the "
        + "unpacked essential packs need.", fix: "Set BAEssentialMaxInstallSize to 6000.", level: .warning),
    BrokenList(
      name: "allow-list without the manifest",
      changes: [".BADownloadDomainAllowList": .array([.string("*.example.net")])],
      check: "plist.allow-list",
      sentence: "BADownloadDomainAllowList does not allow packs.example.com, the host of the manifest, so that devices "
        + "refuse it (error 202).", fix: "Add packs.example.com to BADownloadDomainAllowList."),
    BrokenList(
      name: "allow-list without the CDN",
      changes: [".BADownloadDomainAllowList": .array([.string("packs.example.com")])], check: "plist.allow-list",
      sentence: "BADownloadDomainAllowList does not allow cdn.example.net, the host of level-1, so that devices refuse "
        + "it (error 202).", fix: "Add cdn.example.net to BADownloadDomainAllowList."),
    BrokenList(
      name: "wildcard for its own name",
      changes: [
        ".BADownloadDomainAllowList": .array([.string("*.packs.example.com"), .string("cdn.example.net")])
      ], check: "plist.allow-list",
      sentence: "BADownloadDomainAllowList does not allow packs.example.com, the host of the manifest; a wildcard does "
        + "not stand for the name itself, so that devices refuse it (error 202).",
      fix: "Add packs.example.com to BADownloadDomainAllowList."),
    BrokenList(
      name: "URL in the allow-list",
      changes: [".BADownloadDomainAllowList": .array([.string("https://packs.example.com")])],
      check: "plist.allow-list",
      sentence: "BADownloadDomainAllowList: \"https://packs.example.com\" is not an entry of a domain allow-list: "
        + "expected the host alone, found a URL.", fix: "Write the host alone, such as packs.example.com."),
    BrokenList(
      name: "empty allow-list", changes: [".BADownloadDomainAllowList": .array([])], check: "plist.allow-list",
      sentence: "BADownloadDomainAllowList is empty, so no host is allowed (error 202).",
      fix: "Add packs.example.com to BADownloadDomainAllowList."),
    BrokenList(
      name: "port in the allow-list",
      changes: [
        ".BADownloadDomainAllowList": .array([.string("packs.example.com:8443"), .string("cdn.example.net")])
      ], check: "plist.allow-list-form",
      sentence: "The entry packs.example.com:8443 of BADownloadDomainAllowList is written with a port, a trailing dot "
        + "or capital letters, of which it is not documented that devices take it.", fix: "Write packs.example.com.",
      level: .warning),
    BrokenList(
      name: "manifest over http", changes: ["BAManifestURL": .string("http://packs.example.com/m.json")],
      check: "plist.manifest-url",
      sentence: "BAManifestURL is http://packs.example.com/m.json, and devices refuse http, on localhost too.",
      fix: "Set BAManifestURL to \(PlistFixture.manifestURL)."),
    BrokenList(
      name: "no manifest URL", changes: ["BAManifestURL": nil], check: "plist.manifest-url",
      sentence: "BAManifestURL is missing, so the app does not know your server.",
      fix: "Set BAManifestURL to \(PlistFixture.manifestURL)."),
    BrokenList(
      name: "another manifest", changes: ["BAManifestURL": .string("https://old.example.com/m.json")],
      check: "plist.manifest-url",
      sentence: "BAManifestURL is https://old.example.com/m.json, but the manifest that was checked is "
        + "\(PlistFixture.manifestURL).",
      fix: "Set BAManifestURL to \(PlistFixture.manifestURL), or pass --manifest https://old.example.com/m.json.",
      level: .warning),
    BrokenList(
      name: "a setting of Xcode", changes: ["BAManifestURL": .string("https://$(PACKS_HOST)/m.json")],
      check: "plist.manifest-url",
      sentence: "BAManifestURL is https://$(PACKS_HOST)/m.json, which Xcode fills in when it builds.",
      fix: "Check the Info.plist inside the built app (Game.app/Info.plist) instead of the source.", level: .warning),
    BrokenList(
      name: "Apple hosting", changes: ["BAUsesAppleHosting": .bool(true)], check: "plist.hosting",
      sentence: "BAUsesAppleHosting is YES, so the app asks Apple for its packs and never your server.",
      fix: "Remove BAUsesAppleHosting, or set it to NO."),
    BrokenList(
      name: "not managed", changes: ["BAHasManagedAssetPacks": nil], check: "plist.managed",
      sentence: "BAHasManagedAssetPacks is missing, so the system does not manage the app's asset packs.",
      fix: "Set BAHasManagedAssetPacks to YES, or pass --unmanaged when the app's own extension downloads them."),
    BrokenList(
      name: "a flag as text", changes: ["BAHasManagedAssetPacks": .string("YES")], check: "plist.managed",
      sentence: "BAHasManagedAssetPacks is a string, expected a Boolean.",
      fix: "Change the type of BAHasManagedAssetPacks to Boolean and its value to YES."),
    BrokenList(
      name: "no app group", changes: ["BAAppGroupID": nil], check: "plist.app-group",
      sentence: "BAAppGroupID is missing, so app and extension share no folder for the packs.",
      fix: "Set BAAppGroupID to the app group that both targets have, such as group.com.example.game."),
    BrokenList(
      name: "another app group", changes: ["BAAppGroupID": .string("group.com.example.other")],
      check: "entitlements.app-group",
      sentence: "The entitlements have the app groups group.com.example.game, but not group.com.example.other.",
      fix: "Add group.com.example.other to the App Groups of the app's target and of the extension's."),
  ]

  private static let entitlements: PropertyList = .dictionary(
    PropertyDictionary([("com.apple.security.application-groups", .array([.string("group.com.example.game")]))]))

  @Test(arguments: broken) func eachFaultHasItsSentenceAndNoOtherIsFound(_ broken: BrokenList) throws {
    let checkup = PlistCheckup(
      info: PlistFixture.list(broken.changes), entitlements: Self.entitlements, facts: try PlistFixture.facts())
    let findings = checkup.run().filter { $0.level != .ok }
    #expect(
      findings == [
        Finding(check: broken.check, level: broken.level, sentence: broken.sentence, fix: broken.fix)
      ])
  }

  @Test func aListInOrderHasNothingToSay() throws {
    let findings = PlistCheckup(
      info: PlistFixture.list([:]), entitlements: Self.entitlements, facts: try PlistFixture.facts()
    ).run()
    #expect(findings.filter { $0.level != .ok } == [])
    #expect(CheckupReport(findings).exitCode == 0)
    #expect(findings.count >= 10)
  }

  @Test func withoutAServerOnlyTheListIsLookedAt() {
    #expect(PlistCheckup(info: PlistFixture.list([:])).run().allSatisfy { $0.level == .ok })
    let root = PlistCheckup(info: .array([])).run()
    #expect(root.map(\.sentence) == ["The property list is an array, expected a dictionary."])
    #expect(CheckupReport(root).exitCode == 65)
  }

  @Test func packsOnTheLocalNetworkWantAPermission() {
    var facts = DeliveryFacts()
    facts.add(host: "192.168.1.20", "the manifest")
    let list = PlistFixture.list([
      ".BADownloadDomainAllowList": .array([.string("192.168.1.20")])
    ])
    let findings = PlistCheckup(info: list, facts: facts).run().filter { $0.level != .ok }
    #expect(findings.map(\.check) == ["plist.allow-list-form", "plist.local-network"])
    #expect(findings.allSatisfy { $0.level == .warning })
  }

  @Test func thePrintedBlockPassesItsOwnCheck() throws {
    let facts = try PlistFixture.facts()
    for headroom in [0, 50] as [Int64] {
      let xml = RestrictionsBlock(facts: facts, appGroup: "group.com.example.game", headroom: headroom).xml
      let list = try PropertyList.parse(Array("<plist><dict>\(xml)</dict></plist>".utf8))
      #expect(PlistCheckup(info: list, facts: facts).run().filter { $0.level != .ok } == [])
      #expect(
        list["BAInitialDownloadRestrictions"]?["BAEssentialDownloadAllowance"]
          == .integer(headroom == 0 ? 3000 : 4500))
    }
  }
}
