import AssetPacks
import JSONText
import Testing

@testable import AdminAPI
@testable import PackStore
import Values

/// Filters, order, pages, includes and fieldsets.
@Suite struct ListTests {
  @Test func whatIsNotKnownIsRefusedAndNamed() throws {
    let fixture = try APIFixture()
    let app = fixture.app()
    let pack = fixture.pack("p", app: app)
    let version = fixture.version(pack: pack)
    let packs = "/v1/apps/\(app)/backgroundAssets"
    let versions = "/v1/backgroundAssets/\(pack)/versions"
    let cases = [
      ("/v1/apps?filter[id]=x", "filter[id]"), ("/v1/apps?filter=x", "filter"), ("/v1/apps?sort=title", "sort"),
      ("/v1/apps?sort=--bundleId", "sort"), ("/v1/apps?sort=", "sort"), ("/v1/apps?sort=bundleId,", "sort"),
      ("/v1/apps?include=versions", "include"), ("/v1/apps?fields[apps]=secret", "fields[apps]"),
      ("/v1/apps?fields[tokens]=name", "fields[tokens]"), ("/v1/apps?limit=201", "limit"),
      ("/v1/apps?limit=-1", "limit"), ("/v1/apps?limit=99999999999999999999", "limit"), ("/v1/apps?cursor=", "cursor"),
      ("/v1/apps?cursor=5b22222c5d", "cursor"), ("/v1/apps?cursor=5b22222c22785d", "cursor"),
      ("/v1/apps?cursor=5b22222c312c325d", "cursor"), ("/v1/apps?cursor=5b226e616d65222c315d", "cursor"),
      ("/v1/apps?page[size]=1", "page[size]"), ("\(packs)?filter[archived]=yes", "filter[archived]"),
      ("\(packs)?include=app,app", "include"), ("\(packs)?include=releases", "include"),
      ("\(packs)?limit[versions]=51", "limit[versions]"), ("\(packs)?limit[app]=1", "limit[app]"),
      ("\(packs)?sort=usedBytes", "sort"), ("\(versions)?filter[state]=DONE", "filter[state]"),
      ("\(versions)?filter[state]=COMPLETE,DONE", "filter[state]"),
      ("\(versions)?filter[version]=0", "filter[version]"),
      ("\(versions)?filter[version]=1,,2", "filter[version]"),
      ("\(versions)?filter[platforms]=iOS", "filter[platforms]"),
      ("\(versions)?filter[appStoreRelease.state]=READY_FOR_TESTING", "filter[appStoreRelease.state]"),
      ("\(versions)?sort=state", "sort"), ("\(versions)?filter[state]=FAILED&filter[state]=FAILED", "filter[state]"),
      ("/v1/apps/\(app)?limit=1", "limit"), ("/v1/backgroundAssets/\(pack)?include=x", "include"),
      ("/v1/backgroundAssetVersions/\(version)?sort=version", "sort"), ("/v1/apps/\(app)/tracks?sort=id", "sort"),
    ]
    for (target, parameter) in cases {
      let reply = fixture.get(target)
      #expect(reply.status == 400, "\(target): \(reply.text)")
      #expect(reply.errors.first?.code == "PARAMETER_INVALID", "\(target)")
      #expect(reply.errors.first?.source == parameter, "\(target)")
      #expect(reply.json["errors"]?.array?.first?["source"]?["parameter"]?.string == parameter, "\(target)")
    }
    let many = (0...100).map { "\($0 + 1)" }.joined(separator: ",")
    #expect(fixture.get("\(versions)?filter[version]=\(many)").status == 400)
  }

  @Test func filtersTakeSeveralValuesAndAreAllMet() throws {
    let fixture = try APIFixture()
    let app = fixture.app()
    for name in ["a", "b", "c", "d"] { _ = fixture.pack(name, app: app) }
    func names(_ query: String) -> [String] {
      let reply = fixture.get("/v1/apps/\(app)/backgroundAssets?\(query)")
      #expect(reply.total == reply.items.count, "\(query)")
      return reply.items.compactMap { $0["attributes"]?["assetPackIdentifier"]?.string }
    }
    #expect(names("filter[assetPackIdentifier]=d,b,zz") == ["b", "d"])
    #expect(names("filter%5BassetPackIdentifier%5D=d%2Cb&sort=-assetPackIdentifier") == ["d", "b"])
    #expect(names("filter[assetPackIdentifier]=a,b&filter[archived]=false") == ["a", "b"])
    #expect(names("filter[assetPackIdentifier]=a,b&filter[archived]=true") == [])
    #expect(names("filter[archived]=true,false&sort=createdDate,-assetPackIdentifier") == ["d", "c", "b", "a"])
    #expect(names("filter[assetPackIdentifier]=a'%20OR%20'1'='1") == [])
  }

  @Test func versionsAreFilteredByStatesAndPlatforms() throws {
    let fixture = try APIFixture()
    try fixture.fill(packs: 1, versions: 6)
    let pack = try #require(fixture.store.packs(app: fixture.store.apps().items[0].id).items.first)
    func numbers(_ query: String) -> [String] {
      let reply = fixture.get("/v1/backgroundAssets/\(pack.id)/versions?\(query)")
      #expect(reply.status == 200, "\(reply.text)")
      return reply.items.compactMap { $0["attributes"]?["version"]?.string }
    }
    #expect(numbers("") == ["6", "5", "4", "3", "2", "1"])
    #expect(numbers("sort=version&limit=2") == ["1", "2"])
    #expect(numbers("filter[version]=2,4,9") == ["4", "2"])
    #expect(numbers("filter[internalBetaRelease.state]=READY_FOR_TESTING") == ["6"])
    #expect(
      numbers("filter[internalBetaRelease.state]=SUPERSEDED,READY_FOR_TESTING&filter[version]=6,5") == ["6", "5"])
    #expect(numbers("filter[appStoreRelease.state]=READY_FOR_DISTRIBUTION") == [])
    // Odd ones are for iOS only, even ones for all platforms.
    #expect(numbers("filter[platforms]=MAC_OS") == ["6", "4", "2"])
    #expect(numbers("filter[platforms]=IOS,TV_OS").count == 6)
    #expect(numbers("filter[state]=COMPLETE").count == 6)
    #expect(numbers("filter[state]=FAILED,PROCESSING") == [])
  }

  /// Reading page by page gives each resource once, in the order that was asked for, while others are made.
  @Test(arguments: [
    "", "sort=assetPackIdentifier", "sort=-assetPackIdentifier", "sort=createdDate", "sort=-createdDate",
    "sort=-createdDate,assetPackIdentifier", "sort=createdDate,-assetPackIdentifier",
  ])
  func pagesNeitherRepeatNorHideAnything(_ sort: String) throws {
    let fixture = try APIFixture()
    let app = fixture.app()
    for number in 0..<23 {
      _ = fixture.pack("p\(number * 7 % 23)", app: app)
      if number % 4 == 0 { fixture.time.advance(number % 8 == 0 ? 10 : -3) }
    }
    let path = "/v1/apps/\(app)/backgroundAssets?\(sort)"
    let before = fixture.get("\(path)&limit=200").ids
    #expect(before.count == 23)
    var seen: [String] = []
    var target: String? = "\(path)&limit=4"
    var made = 0
    while let page = target {
      let reply = fixture.get(page)
      #expect(reply.status == 200, "\(reply.text)")
      seen += reply.ids
      target = reply.next
      // Before, between and behind the places of those that are there.
      for name in ["0\(made)", "p1\(made)x", "z\(made)"] { _ = fixture.pack(name, app: app) }
      made += 1
      #expect(made < 30)
    }
    #expect(seen.filter { before.contains($0) } == before)
    #expect(Set(seen).count == seen.count)
  }

  @Test func aCursorBelongsToItsOrder() throws {
    let fixture = try APIFixture()
    for name in ["a", "b", "c"] { _ = fixture.app("com.example.\(name)") }
    let next = try #require(fixture.get("/v1/apps?sort=bundleId&limit=1").next)
    #expect(fixture.get(next).status == 200)
    let other = fixture.get(next.replacing("sort=bundleId", with: "sort=-bundleId"))
    #expect(other.status == 400)
    #expect(other.errors.first?.source == "cursor")
    #expect(fixture.get(next.replacing("sort=bundleId&", with: "")).status == 400)
  }

  @Test func includedResourcesComeOnceAndFieldsAreChosen() throws {
    let fixture = try APIFixture()
    try fixture.fill(packs: 3, versions: 12)
    let app = try fixture.store.apps().items[0].id
    let reply = fixture.get(
      "/v1/apps/\(app)/backgroundAssets?include=app,versions,internalBetaVersion,appStoreVersion&limit[versions]=4"
        + "&fields[apps]=bundleId&fields[backgroundAssetVersions]=version,backgroundAsset")
    #expect(reply.status == 200, "\(reply.text)")
    let names = reply.included.map { "\($0["type"]?.string ?? "") \($0["id"]?.string ?? "")" }
    #expect(Set(names).count == names.count)
    #expect(names.count == 1 + 3 * 4)
    let version = try #require(reply.included.last)
    #expect(version["attributes"]?.object?.keys == ["version"])
    #expect(version["relationships"]?.object?.keys == ["backgroundAsset"])
    let pack = try #require(reply.items.first)
    #expect(pack["relationships"]?["versions"]?["data"]?.array?.count == 4)
    #expect(pack[["relationships", "versions", "meta", "paging", "total"]]?.int == 12)
    #expect(pack[["relationships", "internalBetaVersion", "data", "type"]]?.string == "backgroundAssetVersions")
    #expect(pack[["relationships", "appStoreVersion", "data"]] == .null)
    let ids = Set(reply.included.compactMap { $0["id"]?.string })
    for target in pack["relationships"]?["versions"]?["data"]?.array ?? [] {
      #expect(ids.contains(target["id"]?.string ?? ""))
    }
  }

  @Test func releasesOfVersionsAreReadOnlyResources() throws {
    let fixture = try APIFixture()
    try fixture.fill(packs: 1, versions: 2)
    let pack = try fixture.store.packs(app: fixture.store.apps().items[0].id).items[0]
    let versions = fixture.get(
      "/v1/backgroundAssets/\(pack.id)/versions?include=internalBetaRelease,externalBetaRelease,appStoreRelease,"
        + "assetFile,manifestFile,backgroundAsset&limit=1")
    #expect(
      Set(versions.included.compactMap { $0["type"]?.string }) == [
        "backgroundAssets", "backgroundAssetVersionInternalBetaReleases",
        "backgroundAssetVersionExternalBetaReleases", "backgroundAssetVersionAppStoreReleases",
      ])
    let expected = [
      ("InternalBeta", "READY_FOR_TESTING"), ("ExternalBeta", "READY_FOR_BETA_SUBMISSION"),
      ("AppStore", "PREPARE_FOR_SUBMISSION"),
    ]
    for (name, state) in expected {
      let type = "backgroundAssetVersion\(name)Releases"
      let release = try #require(versions.included.first { $0["type"]?.string == type })
      let path = try #require(release["links"]?["self"]?.string)
      let reply = fixture.get("\(path)?include=backgroundAssetVersion")
      #expect(reply.json["data"] == release)
      #expect(reply.json[["data", "attributes", "state"]]?.string == state)
      #expect(reply.included.first?["id"]?.string == versions.ids.first)
      #expect(fixture.send(.patch, path, "{}").status == 405)
      #expect(fixture.send(.delete, path).status == 405)
      #expect(fixture.get("/v1/\(type)/none").status == 404)
    }
  }

  @Test func everyResourceSaysWhereItIsAndWhatItBelongsTo() throws {
    let fixture = try APIFixture()
    try fixture.fill(packs: 2, versions: 2)
    let app = try fixture.store.apps().items[0].id
    let reply = fixture.get("/v1/apps/\(app)/backgroundAssets?include=app,versions")
    for resource in reply.items + reply.included {
      let path = try #require(resource["links"]?["self"]?.string)
      let one = fixture.get(path)
      #expect(one.status == 200, "\(path)")
      #expect(one.json["data"]?["attributes"] == resource["attributes"])
      for (_, relationship) in (resource["relationships"]?.object?.members ?? []).map({ ($0.key, $0.value) }) {
        guard let related = relationship["links"]?["related"]?.string else { continue }
        #expect(fixture.get(related).status == 200, "\(related)")
      }
    }
  }

  /// A token for one app finds nothing of the others, by whatever id.
  @Test func idsOfOtherAppsAre404() throws {
    let fixture = try APIFixture()
    try fixture.fill(packs: 1, versions: 1)
    let other = try fixture.store.apps().items[0].id
    let pack = try #require(fixture.get("/v1/apps/\(other)/backgroundAssets").ids.first)
    let versions = fixture.get("/v1/backgroundAssets/\(pack)/versions?include=internalBetaRelease,appStoreRelease")
    let mine = fixture.app()
    let token = try fixture.store.createToken(name: "m", role: .admin, app: mine, actor: Actor(name: "test")).secret
    let paths =
      ["/v1/apps/\(other)", "/v1/apps/\(other)/backgroundAssets", "/v1/apps/\(other)/tracks"]
      + ["/v1/backgroundAssets/\(pack)", "/v1/backgroundAssets/\(pack)/versions"]
      + (versions.items + versions.included).compactMap { $0["links"]?["self"]?.string }
    #expect(paths.count == 8)
    for path in paths {
      #expect(fixture.get(path).status == 200, "\(path)")
      #expect(fixture.send(.get, path, token: token).status == 404, "\(path)")
    }
    #expect(fixture.send(.get, "/v1/apps", token: token).ids == [mine])
    #expect(fixture.send(.get, "/v1/apps?filter[bundleId]=com.example.filled", token: token).total == 0)
    #expect(fixture.send(.patch, "/v1/apps/\(other)", "{}", [("If-Match", "*")], token: token).status == 404)
  }

  /// Whatever stands in a query, the answer is a list or a refusal.
  @Test func noQueryMakesTheServerFail() throws {
    let fixture = try APIFixture()
    try fixture.fill(packs: 3, versions: 3)
    let app = try fixture.store.apps().items[0].id
    let pack = try #require(fixture.get("/v1/apps/\(app)/backgroundAssets").ids.first)
    let paths = ["/v1/apps", "/v1/apps/\(app)/backgroundAssets", "/v1/backgroundAssets/\(pack)/versions"]
    let names = [
      "filter[state]", "filter[version]", "filter[bundleId]", "filter[archived]", "filter[platforms]", "sort",
      "include",
      "limit", "cursor", "limit[versions]", "fields[apps]", "fields[backgroundAssetVersions]", "filter[sha256]", "",
      "a",
    ]
    let values = [
      "", "COMPLETE", "COMPLETE,FAILED", "1", "0", "-1", "9223372036854775807", "9223372036854775808", "true", "IOS",
      "version", "-version", "createdDate,-version", "bundleId", "-assetPackIdentifier,createdDate", "versions", "app",
      "internalBetaRelease,assetFile", "'", "\"", ";", "%", "%00", "%27%20OR%201=1", ",", ",,", "name", "state,version",
      hexadecimal(#"["",1]"#), hexadecimal(#"["version",1,2]"#), hexadecimal(#"["version","x",2]"#),
      hexadecimal(#"["-version",-9223372036854775808,9223372036854775807]"#), hexadecimal(#"["",1e5]"#),
      hexadecimal(#"["createdDate","",""]"#), hexadecimal("[[[]]]"), hexadecimal(#"["",null]"#), "0", "zz", "5b",
    ]
    var random = UInt64(42)
    func next(_ count: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(random >> 33) % count
    }
    var statuses: [UInt16: Int] = [:]
    for _ in 0..<3000 {
      let query = (0...next(2)).map { _ in "\(names[next(names.count)])=\(values[next(values.count)])" }
      let target = "\(paths[next(paths.count)])?\(query.joined(separator: "&"))"
      let reply = fixture.get(target)
      statuses[reply.status, default: 0] += 1
      #expect(reply.status == 200 || reply.status == 400, "\(target): \(reply.text.prefix(300))")
    }
    #expect(statuses[200, default: 0] > 20 && statuses[400, default: 0] > 20, "\(statuses)")
  }

  private func hexadecimal(_ text: String) -> String {
    text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
