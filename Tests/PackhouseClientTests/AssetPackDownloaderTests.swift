import Digests
import Foundation
import Testing

@testable import PackhouseClient

@Suite struct AssetPackDownloaderTests {
  let server: TLSServer
  let body: [UInt8] = (0..<300_000).map { UInt8(truncatingIfNeeded: ($0 * 31) >> 3) }

  init() throws { server = try TLSServer(script: packServerScript) }

  private func downloader(attempts: Int = 5) throws -> AssetPackDownloader {
    try AssetPackDownloader(
      authorities: server.authority.certificatePEM, attempts: attempts, firstPause: .milliseconds(1))
  }

  private func pack(_ path: String, size: Int? = nil, sha256: String? = nil) throws -> AssetPack {
    let digest = sha256 ?? Digest.sha256Text(body)
    let manifest = """
      {"assetPacks":[{"id":"terrain","version":3,"downloadSize":\(size ?? body.count),
      "url":"https://localhost:\(server.port)\(path)","downloadPolicy":{"onDemand":{}},
      "userInfo":{"sha256":"\(digest)"}}]}
      """
    return try #require(try AssetPackCatalog(manifest: Array(manifest.utf8))["terrain"])
  }

  private var destination: String { server.folder.appendingPathComponent("terrain.aar").path }

  private func bytes() throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: destination))) }

  private func leftovers() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: server.folder.path).filter { $0.hasPrefix("terrain.aar.") }
  }

  @Test func aManifestIsFetchedAndItsPackDownloaded() throws {
    let downloader = try downloader()
    let catalog = try downloader.catalog(at: "https://localhost:\(server.port)/manifest")
    let pack = try #require(catalog["terrain"])
    #expect(pack.version == 3)
    #expect(pack.downloadPolicy == .onDemand)
    var seen: [Int64] = []
    try downloader.download(pack, to: destination) { seen.append($0) }
    #expect(try bytes() == body)
    #expect(seen.last == 300_000)
    #expect(try leftovers() == [])
  }

  @Test func aDownloadThatBreaksOffIsContinuedInTheSameCall() throws {
    var seen: [Int64] = []
    try downloader().download(try pack("/cut"), to: destination) { seen.append($0) }
    #expect(try bytes() == body)
    #expect(seen == seen.sorted(), "the second attempt went on where the first stopped")
    #expect(Set(seen).count == seen.count)
  }

  @Test func aDownloadThatBreaksOffIsContinuedByTheNextCall() throws {
    let pack = try pack("/cut-later")
    #expect(throws: PackhouseClientFailure.self) { try downloader(attempts: 1).download(pack, to: destination) }
    #expect(!FileManager.default.fileExists(atPath: destination))
    #expect(try leftovers().sorted() == ["terrain.aar.partial", "terrain.aar.partial.json"])
    var first: Int64?
    try downloader(attempts: 1).download(pack, to: destination) { first = first ?? $0 }
    #expect(try #require(first) > 100_000)
    #expect(try bytes() == body)
    #expect(try leftovers() == [])
  }

  @Test func bytesOfAnotherEntityAreNotMixed() throws {
    var seen: [Int64] = []
    try downloader().download(try pack("/changing"), to: destination) { seen.append($0) }
    #expect(try bytes() == body)
    #expect(seen != seen.sorted(), "the second attempt began anew")
  }

  @Test func aRangeThatWasNotAskedForStartsTheDownloadAnew() throws {
    let pack = try pack("/wrong-range")
    try Data(body[..<1000]).write(to: URL(fileURLWithPath: destination + ".partial"))
    let note = #"{"url":"\#(pack.url)","version":3,"downloadSize":300000,"entityTag":"\"v1\""}"#
    try Data(note.utf8).write(to: URL(fileURLWithPath: destination + ".partial.json"))
    try downloader().download(pack, to: destination)
    #expect(try bytes() == body)
  }

  @Test func anotherVersionsLeftoversAreNotContinued() throws {
    let pack = try pack("/pack")
    try Data([UInt8](repeating: 7, count: 1000)).write(to: URL(fileURLWithPath: destination + ".partial"))
    let note = #"{"url":"\#(pack.url)","version":2,"downloadSize":300000,"entityTag":"\"v1\""}"#
    try Data(note.utf8).write(to: URL(fileURLWithPath: destination + ".partial.json"))
    try downloader().download(pack, to: destination)
    #expect(try bytes() == body)
  }

  @Test func aBusyServerIsAskedAgain() throws {
    try downloader().download(try pack("/busy"), to: destination)
    #expect(try bytes() == body)
  }

  @Test func bytesWithAnotherDigestAreDeleted() throws {
    let wrong = String(repeating: "0", count: 64)
    let failure = #expect(throws: PackhouseClientFailure.self) {
      try downloader().download(try pack("/pack", sha256: wrong), to: destination)
    }
    #expect(failure == .wrongDigest(pack: "terrain", expected: wrong, found: Digest.sha256Text(body)))
    #expect(!FileManager.default.fileExists(atPath: destination))
    #expect(try leftovers() == [])
  }

  @Test(arguments: [("/long", 300_000, 300_001), ("/pack", 299_999, 300_000), ("/pack", 300_001, 300_000)])
  func anotherLengthThanTheManifestsIsRefused(path: String, size: Int, found: Int) throws {
    #expect(
      throws: PackhouseClientFailure.wrongLength(pack: "terrain", expected: Int64(size), found: Int64(found))
    ) { try downloader().download(try pack(path, size: size), to: destination) }
    #expect(!FileManager.default.fileExists(atPath: destination))
  }

  @Test func aPackThatIsNotThereIsNotAskedForAgain() throws {
    let failure = #expect(throws: PackhouseClientFailure.self) {
      try downloader(attempts: 2).download(try pack("/gone"), to: destination)
    }
    #expect(failure == .status(404, url: "https://localhost:\(server.port)/gone"))
  }
}
