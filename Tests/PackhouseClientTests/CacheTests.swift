import Foundation
import Testing
import TestSupport

@testable import PackhouseClient

@Suite(.waits) struct CacheTests {
  let fixture: ClientFixture
  var server: ScriptedServer { fixture.server }
  var index: URL { URL(fileURLWithPath: fixture.cacheFolder + "/index.json") }

  init() throws { fixture = try ClientFixture() }

  private func failure(_ body: () async throws -> Void) async -> ManagedBackgroundAssetsError? {
    do { try await body() } catch { return error as? ManagedBackgroundAssetsError }
    return nil
  }

  @Test(arguments: ["", "{", "[]", #"{"packs":[{"id":"a"}]}"#, nil] as [String?])
  func aDamagedIndexIsMadeAnewFromTheFolders(text: String?) async throws {
    for id in ["a", "b"] { try server.serve(id) }
    try await fixture.ensure("a", "b", with: fixture.manager())
    if let text { try Data(text.utf8).write(to: index) } else { try FileManager.default.removeItem(at: index) }
    let manager = try fixture.manager()
    #expect(fixture.version("a", manager) == "1")
    #expect(try manager.localAssetPackIDs() == ["a", "b"])
    #expect(server.log.filter { $0 != "manifest" } == ["a", "b"], "nothing was downloaded again")
  }

  @Test func anIndexDamagedWhileInUseIsMadeAnewToo() async throws {
    try server.serve("a")
    let manager = try fixture.manager()
    try await fixture.ensure("a", with: manager)
    try Data("x".utf8).write(to: index)
    #expect(fixture.version("a", manager) == "1")
  }

  @Test func aMissingFolderIsDownloadedAgain() async throws {
    try server.serve("a")
    let manager = try fixture.manager()
    try await fixture.ensure("a", with: manager)
    let packs = fixture.cacheFolder + "/packs"
    for name in try FileManager.default.contentsOfDirectory(atPath: packs) {
      try FileManager.default.removeItem(atPath: "\(packs)/\(name)")
    }
    #expect(try await manager.status(ofAssetPackWithID: "a") == AssetPack.Status.downloadAvailable)
    try await fixture.ensure("a", with: manager)
    #expect(fixture.version("a", manager) == "1")
  }

  @Test(arguments: [true, false]) func aDamagedPackIsDownloadedAgainByTheNextProcess(isDeleted: Bool) async throws {
    try server.serve("a")
    let manager = try fixture.manager()
    try await fixture.ensure("a", with: manager)
    let path = try manager.path(for: "a/data.bin")
    if isDeleted {
      try FileManager.default.removeItem(atPath: path)
    } else {
      #expect(truncate(path, 100) == 0)
    }
    let next = try fixture.manager()
    try await fixture.ensure("a", with: next)
    #expect(try next.contents(at: "a/data.bin").count == 200_016)
    #expect(server.log.filter { $0 == "a" }.count == 2)
    #expect(fixture.folder.files("cache/packs").filter { $0.hasSuffix("data.bin") }.count == 1)
  }

  @Test func whatAKilledProcessLeftIsClearedAway() async throws {
    try server.serve("a")
    try await fixture.ensure("a", with: fixture.manager())
    let files = FileManager.default
    for path in ["staging/x.1.00/files/d", "packs/x.1.11/files/d", "trash/x.1.22/files"] {
      try files.createDirectory(atPath: "\(fixture.cacheFolder)/\(path)", withIntermediateDirectories: true)
      try Data([1]).write(to: URL(fileURLWithPath: "\(fixture.cacheFolder)/\(path)/f"))
    }
    try Data([1]).write(to: URL(fileURLWithPath: "\(fixture.cacheFolder)/index.json.0011223344556677.writing"))
    let manager = try fixture.manager()
    #expect(fixture.folder.files("cache").filter { $0.contains("x.1.") || $0.hasSuffix(".writing") } == [])
    #expect(fixture.version("a", manager) == "1")
  }

  @Test func rubbishForAPartialDownloadDoesNotMatter() async throws {
    try server.serve("a")
    let folder = fixture.cacheFolder + "/downloads"
    _ = try fixture.manager()
    try Data(repeating: 7, count: 900_000).write(to: URL(fileURLWithPath: folder + "/a.partial"))
    try Data("{}".utf8).write(to: URL(fileURLWithPath: folder + "/a.partial.json"))
    let manager = try fixture.manager()
    try await fixture.ensure("a", with: manager)
    #expect(fixture.version("a", manager) == "1")
    #expect(fixture.isTidy)
  }

  @Test func downloadsOfPacksThatAreNotListedAnyMoreGo() async throws {
    for id in ["a", "b"] { try server.serve(id) }
    server.fail("b", .cut(50_000))
    let manager = try fixture.manager { $0.attempts = 1 }
    #expect(await failure { try await fixture.ensure("b", with: manager) } != nil)
    #expect(!fixture.isTidy)
    let downloads = fixture.cacheFolder + "/downloads"
    for name in ["b.partial.json.0011223344556677.writing", "a.partial.json.0011223344556677.writing"] {
      try Data([1]).write(to: URL(fileURLWithPath: "\(downloads)/\(name)"))
    }
    _ = try await manager.checkForUpdates()
    #expect(fixture.folder.files("cache/downloads") == ["b.partial", "b.partial.json"])
    server.withdraw("b")
    _ = try await manager.checkForUpdates()
    #expect(fixture.isTidy)
    // As after a kill between the end of an installation and the end of its download.
    try await fixture.ensure("a", with: manager)
    try Data([1]).write(to: URL(fileURLWithPath: downloads + "/a.partial"))
    _ = try await manager.checkForUpdates()
    #expect(fixture.isTidy)
  }

  @Test func hostileArchivesAreRefusedAndNothingIsLeft() async throws {
    var escape = try TestPack.make("a", [("a/xx/x.txt", [1])])
    // The same number of bytes, so that only the path is another.
    let stored = Array("AA01".utf8)
    #expect(escape.count > stored.count)
    escape = Array("not an archive at all, and long enough to be looked at".utf8)
    let cases: [(String, [UInt8])] = [
      ("rubbish", escape), ("empty", []), ("zip", Array("PK\u{3}\u{4}".utf8) + [UInt8](repeating: 0, count: 100)),
      ("encrypted", Array("AEA1".utf8) + [UInt8](repeating: 0, count: 100)),
      ("cut", Array(try TestPack.make("a", [("a/x.txt", TestPack.noise(5000, seed: 1))]).dropLast(700))),
      ("parent", Self.raw("Contents/../../evil")), ("absolute", Self.raw("/evil")),
      ("no-contents", Self.raw("evil")),
    ]
    try server.serve("good")
    let manager = try fixture.manager()
    try await fixture.ensure("good", with: manager)
    for (id, bytes) in cases { server.serve(id, ScriptedServer.Served(version: 1, bytes: bytes)) }
    try await manager.manifest()
    for (id, _) in cases {
      let error = await failure { try await fixture.ensure(id, with: manager) }
      guard case .badArchive(id, _)? = error else {
        Issue.record("\(id): \(error.map { "\($0)" } ?? "no error")")
        continue
      }
    }
    #expect(fixture.isTidy)
    #expect(fixture.version("good", manager) == "1")
    #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path) == ["cache"])
    // The next run with a good archive goes through.
    try server.serve("rubbish", version: 2)
    try await manager.manifest()
    try await fixture.ensure("rubbish", with: manager)
    #expect(fixture.version("rubbish", manager) == "2")
  }

  /// A bare archive of one file, written by hand.
  private static func raw(_ path: String) -> [UInt8] {
    func little<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
      withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
    let fields =
      Array("TYP1FPATP".utf8) + little(UInt16(path.utf8.count)) + Array(path.utf8) + Array("DATA".utf8)
      + little(UInt16(1))
    return Array("AA01".utf8) + little(UInt16(fields.count + 6)) + fields + [0x78]
  }

  @Test func aFolderThatCannotBeWrittenIsNamed() throws {
    let path = fixture.folder.path + "/file"
    try Data().write(to: URL(fileURLWithPath: path))
    var configuration = ClientConfiguration(manifestURL: ScriptedServer.manifestURL, cacheFolder: path)
    configuration.attempts = 1
    let error = #expect(throws: ManagedBackgroundAssetsError.self) {
      try AssetPackManager(configuration, transport: server)
    }
    #expect(error?.sentence.contains(path) == true)
  }

  @Test func aThousandPacksAreLookedAtQuickly() async throws {
    let manager = try fixture.manager()
    try manager.cache.change { index throws(ManagedBackgroundAssetsError) in
      for number in 0..<1000 {
        let text = """
          {"assetPacks":[{"id":"p\(number)","version":1,"downloadSize":1,"downloadPolicy":{"onDemand":{}},\
          "url":"https://packs.example.com/p"}]}
          """
        let catalog = try AssetPackCatalog(manifest: Array(text.utf8))
        if let pack = catalog.packs.first { index.put(LocalPack(pack, folder: pack.id, installSize: 1, sha256: nil)) }
      }
    }
    let again = try fixture.manager()
    #expect(try again.localAssetPackIDs().count == 1000)
  }
}
