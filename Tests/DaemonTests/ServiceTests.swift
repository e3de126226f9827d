import EventLoop
import Foundation
import Glibc
import Observability
import PackStore
import Synchronization
import SystemIO
import TLS
import Testing

@testable import Daemon

/// A service in this process: it publishes again by itself, and no thread of it outlives it.
@Suite(.serialized) struct ServiceTests {
  /// Seconds that a test sets.
  private final class Time: Sendable {
    private let seconds = Atomic<Int64>(1000)
    func pass(_ count: Int64) { seconds.wrappingAdd(count, ordering: .relaxed) }
    var clock: MonotonicClock { MonotonicClock { self.seconds.load(ordering: .relaxed) * 1_000_000_000 } }
  }

  @Test func aPublishThatFailedIsTriedAgain() throws {
    let folder = try TemporaryFolder()
    let store = try PackStore(StoreOptions(folder: folder.file("state"), publicBaseURL: "https://localhost"))
    let time = Time()
    let isMended = StopFlag()
    let publisher = Publisher(
      blobs: store.blobs,
      liveState: { (previous) throws(StoreFailure) in
        guard isMended.isRaised else { throw .system(SystemFailure("read", "catalog", code: EIO)) }
        return try store.liveState(after: previous)
      }, development: nil, log: Log(threshold: .error), clock: time.clock)
    publisher.publish()
    #expect(publisher.failed.load(ordering: .relaxed) == 1)
    publisher.retry()
    time.pass(31)
    publisher.retry()
    #expect(publisher.failed.load(ordering: .relaxed) == 2)
    isMended.raise()
    time.pass(31)
    publisher.retry()
    #expect(publisher.published.load(ordering: .relaxed) == 1)
  }

  private func settings(_ folder: TemporaryFolder, clientPort: UInt16 = 0) throws -> ServiceSettings {
    try TestAuthority().issue(into: folder)
    let files = CertificateFiles(certificate: folder.file("leaf.pem"), privateKey: folder.file("leaf.key"))
    var settings = ServiceSettings(
      stateDirectory: folder.file("state"), publicBaseURL: "https://localhost",
      clientListeners: [.init(host: "127.0.0.1", port: clientPort)],
      adminListeners: [.init(host: "127.0.0.1", port: 0)], certificate: files)
    settings.logLevel = .error
    settings.loops = 1
    settings.workers = 1
    settings.drainGrace = 0
    return settings
  }

  /// Waits for what another thread does soon.
  private func wait(for condition: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .seconds(30)
    while !condition() {
      guard ContinuousClock.now < deadline else { return false }
      usleep(5000)
    }
    return true
  }

  /// A state folder with a pack that is live, as a daemon that has ended left it.
  private func usedState() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let daemon = try TestDaemon.development(
      [try folder.write("level-1.aar", try Packs.make("level-1"))], folder: folder)
    try daemon.stop()
    return folder
  }

  @Test func aVersionWhoseFileWasMissingIsServedOnceItIsThere() throws {
    let folder = try usedState()
    let blobs = folder.file("state/blobs")
    let names = try FileManager.default.subpathsOfDirectory(atPath: blobs)
    let blob = "\(blobs)/\(try #require(names.first { $0.contains("/") }))"
    try FileManager.default.moveItem(atPath: blob, toPath: folder.file("away"))
    let time = Time()
    let service = try Service(try settings(folder), clock: time.clock)
    defer { service.stop() }
    #expect(wait { service.readings.publishes == 1 })
    #expect(service.readings.snapshotFaults == 1)
    try FileManager.default.moveItem(atPath: folder.file("away"), toPath: blob)
    let running = service.handle(reload: {})
    running.look()
    #expect(service.readings.snapshotFaults == 1)
    time.pass(301)
    running.look()
    #expect(service.readings.snapshotFaults == 0)
  }

  @Test func aStartPublishesTheRestByItself() throws {
    let folder = try usedState()
    // This one makes the manifests again for its own URL, which writes the copies too; the next has nothing to change.
    try Service(try settings(folder)).stop()
    let copies = folder.file("state/published")
    let names = try FileManager.default.subpathsOfDirectory(atPath: copies)
    let copy = "\(copies)/\(try #require(names.first { $0.hasSuffix(".json") }))"
    try FileManager.default.removeItem(atPath: copy)
    let service = try Service(try settings(folder))
    defer { service.stop() }
    #expect(wait { service.readings.publishes == 1 })
    #expect(wait { FileManager.default.fileExists(atPath: copy) })
  }

  @Test func aStartThatFailsLeavesNoThread() throws {
    let folder = try TemporaryFolder()
    let other = try ListeningSocket(host: "127.0.0.1", port: 0, sharesPort: false)
    let settings = try settings(folder, clientPort: other.port)
    #expect(throws: DaemonFailure.self) { try Service(settings) }
    // Names that only the threads of a service have; the suite is serialized.
    #expect(Set(try threadNames()).isDisjoint(with: ["processor", "deadlines", "webhooks", "access log"]))
    let service = try Service(try self.settings(folder))
    #expect(try threadNames().contains("processor"))
    service.stop()
    #expect(Set(try threadNames()).isDisjoint(with: ["processor", "deadlines", "webhooks", "access log"]))
  }

  private func threadNames() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").compactMap { task in
      // One that has ended meanwhile has no name.
      let text = try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
      return text?.trimmingCharacters(in: .newlines)
    }
  }
}
