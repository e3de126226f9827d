import Foundation
import Glibc
import Testing
import TestSupport

/// `packhouse dev --watch`, and how it ends.
@Suite(.waits) struct DevelopmentWatchTests {
  private func manifest(_ folder: TemporaryFolder) throws -> String {
    try folder.write("pack/level/data.txt", "one")
    return try folder.write(
      "pack/Manifest.json",
      #"{"assetPackID":"level-1","downloadPolicy":{"onDemand":{}},"fileSelectors":[{"directory":"level"}],"#
        + #""platforms":["iOS"],"sourceRoot":"."}"#)
  }

  private func version(_ web: WebClient) throws -> Int {
    let packs = try web.get("/manifest").expect(200).json["assetPacks"] as? [[String: Any]]
    return packs?.first?["version"] as? Int ?? 0
  }

  private func wait(for wanted: Int, _ daemon: TestDaemon) throws {
    let web = daemon.client()
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
      if try version(web) >= wanted { return }
      usleep(20_000)
    }
    throw Failure("version \(wanted) is not live after 60 s: \(daemon.process.errors)")
  }

  @Test func aChangedFileIsANewVersionAndHalfAFileIsNone() throws {
    let folder = try TemporaryFolder()
    let daemon = try TestDaemon.development([try manifest(folder)], folder: folder, options: ["--watch"])
    #expect(try version(daemon.client()) == 1)
    try folder.write("pack/level/data.txt", "two")
    try wait(for: 2, daemon)

    // A file that is still being written holds everything back.
    let path = try folder.write("pack/level/large.bin", "")
    // Programs that other tests start meanwhile must not hold it open.
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try handle.write(contentsOf: Data("half".utf8))
    let web = daemon.client()
    let until = ContinuousClock.now + .milliseconds(1500)
    var highest = 0
    while ContinuousClock.now < until {
      highest = max(highest, try version(web))
      usleep(20_000)
    }
    let before = highest
    try handle.write(contentsOf: Data(" and half".utf8))
    try handle.close()
    try wait(for: before + 1, daemon)
    // The empty file may have been a version of its own, but the first half never was.
    #expect(before <= 3)
    let archive = try folder.write(
      "live.aar", try web.get("/apps/\(TestDaemon.app)/packs/\(before + 1)/level-1").expect(200).body)
    let extracted = folder.file("out")
    let words = ["pack", "extract", archive, "-o", extracted]
    let process = try ChildProcess(ChildProcess.packhouse, words, errorPath: folder.file("verb"))
    #expect(try process.finish() == .code(0), "\(process.errors)")
    let found = try #require(FileManager.default.enumerator(atPath: extracted)?.allObjects as? [String])
    let file = try #require(found.first { $0.hasSuffix("large.bin") })
    #expect(try String(contentsOfFile: "\(extracted)/\(file)", encoding: .utf8) == "half and half")
    try daemon.stop()
  }

  @Test func aBrokenManifestLeavesWhatIsLive() throws {
    let folder = try TemporaryFolder()
    let path = try manifest(folder)
    let good = try String(contentsOfFile: path, encoding: .utf8)
    let daemon = try TestDaemon.development([path], folder: folder, options: ["--watch"])
    try folder.write("pack/Manifest.json", "{ broken")
    let deadline = ContinuousClock.now + .seconds(60)
    while !daemon.process.errors.contains("Nothing was published"), ContinuousClock.now < deadline { usleep(20_000) }
    #expect(daemon.process.errors.contains("Nothing was published"))
    #expect(try version(daemon.client()) == 1)
    try folder.write("pack/level/data.txt", "other")
    try folder.write("pack/Manifest.json", good)
    try wait(for: 2, daemon)
  }

  @Test func anInterruptWhilePackingEndsItAtOnce() throws {
    let folder = try TemporaryFolder()
    let path = try manifest(folder)
    try folder.write("pack/level/noise.bin", Packs.noise(96 << 20))
    let words = [
      "dev", "--state", folder.file("state"), "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", path, "--json",
    ]
    let process = try ChildProcess(ChildProcess.packhouse, words, errorPath: folder.file("errors"))
    let deadline = ContinuousClock.now + .seconds(60)
    let built = folder.file("state/built")
    while !FileManager.default.fileExists(atPath: built), ContinuousClock.now < deadline { usleep(2000) }
    process.send(SIGINT)
    let start = ContinuousClock.now
    let output = try process.rest()
    #expect(try process.finish() == .code(0), "\(process.errors)")
    #expect(!output.contains("ready"))
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  /// The thread that publishes was left running once, and used OpenSSL while the program took it down.
  @Test func aSignalAtAnyMomentOfAStartEndsItInOrder() throws {
    let folder = try TemporaryFolder()
    let path = try manifest(folder)
    try folder.write("pack/level/noise.bin", Packs.noise(8 << 20))
    for moment in ["tls/leaf.pem", "catalog.sqlite", "development.json", "built", "built/level-1.aar", "uploads"] {
      for round in 0..<2 {
        let state = "state-\(moment.replacing("/", with: "-"))-\(round)"
        let words = [
          "dev", "--state", folder.file(state), "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", path, "--watch",
        ]
        let process = try ChildProcess(ChildProcess.packhouse, words, errorPath: folder.file("errors"))
        let deadline = ContinuousClock.now + .seconds(60)
        while !FileManager.default.fileExists(atPath: folder.file("\(state)/\(moment)")) {
          guard ContinuousClock.now < deadline, !process.hasEnded else {
            throw Failure("\(moment) is not there: \(process.errors)")
          }
          usleep(500)
        }
        process.send(SIGTERM)
        #expect(try process.finish() == .code(0), "\(moment): \(process.errors)")
      }
    }
  }
}
