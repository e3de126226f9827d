import Foundation
import Testing
import TestSupport

/// The document that devices ask for first.
@Suite(.waits) struct ManifestTests {
  /// Two packs; the second for two platforms and with data for the app.
  private func serve() throws -> (daemon: TestDaemon, sizes: [Int]) {
    let folder = try TemporaryFolder()
    let second = try Packs.make("b-pack", platforms: ["iOS", "macOS"], userInfo: #"{"path":"a/b","n":[1,2.50]}"#)
    let first = try Packs.make("a-pack", Packs.noise(5000))
    let inputs = [try folder.write("2.aar", second), try folder.write("1.aar", first)]
    return (try TestDaemon.development(inputs, folder: folder), [first.count, second.count])
  }

  private func document(_ base: String, _ sizes: [Int]) -> String {
    let path = "\(base)/apps/\(TestDaemon.app)/packs/1"
    return """
      {"assetPacks":[\
      {"downloadPolicy":{"onDemand":{}},"downloadSize":\(sizes[0]),"host":{"thirdParty":{}},"id":"a-pack",\
      "url":"\(path)/a-pack","version":1},\
      {"downloadPolicy":{"onDemand":{}},"downloadSize":\(sizes[1]),"host":{"thirdParty":{}},"id":"b-pack",\
      "url":"\(path)/b-pack","userInfo":{"path":"a/b","n":[1,2.50]},"version":1}]}
      """
  }

  @Test func everyByteOfTheManifestIsAsAppleDescribesIt() throws {
    let (daemon, sizes) = try serve()
    let answer = try daemon.client().get(daemon.manifestPath)
    #expect(answer.status == 200)
    #expect(answer.text == document("https://127.0.0.1:\(daemon.port)", sizes))
    #expect(answer.fields["content-type"] == "application/json")
    #expect(answer.fields["cache-control"] == "no-cache")
    #expect(answer.fields["etag"] != nil)
    #expect(answer.fields["vary"]?.lowercased().contains("accept-encoding") == true)
  }

  @Test func eachLinkOfTheManifestLeadsToExactlyDownloadSizeBytes() throws {
    let (daemon, _) = try serve()
    let web = daemon.client()
    let packs = try #require(try web.get(daemon.manifestPath).json["assetPacks"] as? [[String: Any]])
    #expect(packs.count == 2)
    for pack in packs {
      let answer = try web.get(try #require(pack["url"] as? String))
      #expect(answer.status == 200)
      #expect(answer.body.count == pack["downloadSize"] as? Int)
    }
  }

  @Test func theQueryChoosesThePlatformAndIsNeverAReasonToRefuse() throws {
    let (daemon, _) = try serve()
    let web = daemon.client()
    func names(_ query: String) throws -> [String] {
      let answer = try web.get(daemon.manifestPath + query).expect(200)
      return (answer.json["assetPacks"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
    }
    #expect(try names("?platform=iOS") == ["a-pack", "b-pack"])
    #expect(try names("?platform=macOS") == ["b-pack"])
    #expect(try names("?x=1&PLATFORM=MACOS") == ["b-pack"])
    for query in [
      "", "?", "?platform=", "?platform=watchOS", "?a=b&c", "?%zz=%", "?platform=iOS&platform=macOS", "?/?",
    ] {
      let answer = try web.get(daemon.manifestPath + query)
      #expect(answer.status == 200, "\(query)")
    }
    // An empty list would make devices delete every pack: there is no manifest then.
    #expect(try web.get(daemon.manifestPath + "?platform=tvOS").status == 404)
  }

  @Test func theDevelopmentOverrideLinksToWhereTheClientCameIn() throws {
    let (daemon, sizes) = try serve()
    for host in ["localhost", "127.0.0.1"] {
      let base = "https://\(host):\(daemon.port)"
      let web = WebClient(base, daemon.trust)
      let answer = try web.get("/manifest")
      #expect(answer.status == 200)
      #expect(answer.text == document(base, sizes))
      let mac = try web.get("/manifest?platform=macOS")
      let packs = mac.json["assetPacks"] as? [[String: Any]] ?? []
      #expect(packs.map { $0["id"] as? String } == ["b-pack"])
      #expect(try web.get(packs.first?["url"] as? String ?? "").body.count == sizes[1])
      let again = try web.get("/manifest", [("If-None-Match", answer.fields["etag"] ?? "")])
      #expect(again.status == 304)
    }
  }

  @Test func gzipHasATagOfItsOwn() throws {
    let (daemon, _) = try serve()
    let web = daemon.client()
    let plain = try web.get(daemon.manifestPath)
    let packed = try web.get(daemon.manifestPath, [("Accept-Encoding", "br;q=1, gzip;q=0.8")])
    #expect(packed.status == 200)
    #expect(packed.fields["content-encoding"] == "gzip")
    #expect(packed.fields["vary"]?.lowercased().contains("accept-encoding") == true)
    #expect(packed.fields["etag"] != plain.fields["etag"])
    #expect(packed.body.count < plain.body.count)
    #expect(packed.body.prefix(2) == [0x1f, 0x8b])
    #expect(try unpacked(packed.body) == plain.body)
    let tag = try #require(packed.fields["etag"])
    #expect(try web.get(daemon.manifestPath, [("Accept-Encoding", "gzip"), ("If-None-Match", tag)]).status == 304)
    #expect(try web.get(daemon.manifestPath, [("If-None-Match", plain.fields["etag"] ?? "")]).status == 304)
    for refused in ["identity", "gzip;q=0", "*;q=0", "gzip;q=0.000, identity"] {
      let answer = try web.get(daemon.manifestPath, [("Accept-Encoding", refused)])
      #expect(answer.fields["content-encoding"] == nil, "\(refused)")
    }
  }

  /// What `gzip -dc` makes of it.
  private func unpacked(_ bytes: [UInt8]) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let path = try folder.write("m.gz", bytes)
    let gzip = try ChildProcess("/usr/bin/env", ["gzip", "-dc", path], errorPath: folder.file("errors"))
    return Array(try gzip.rest().utf8)
  }

  @Test(.enabled(if: Samples.exist)) func twoSamplePacksMakeThisManifest() throws {
    let folder = try TemporaryFolder()
    let inputs = ["tutorial.aar", "model.v1.aar"].map { Samples.path("packs/\($0)") }
    let daemon = try TestDaemon.development(inputs, folder: folder)
    let base = "https://127.0.0.1:\(daemon.port)/apps/\(TestDaemon.app)/packs/1"
    let expected = """
      {"assetPacks":[{"downloadPolicy":{"onDemand":{}},"downloadSize":667933,"host":{"thirdParty":{}},"id":"model.v1",\
      "url":"\(base)/model.v1","version":1},{"downloadPolicy":{"essential":{"installationEventTypes":\
      ["firstInstallation"]}},"downloadSize":391418,"host":{"thirdParty":{}},"id":"tutorial",\
      "url":"\(base)/tutorial","version":1}]}
      """
    #expect(try daemon.client().get(daemon.manifestPath).text == expected)
  }
}
