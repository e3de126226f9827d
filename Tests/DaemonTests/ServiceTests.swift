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
      adminListeners: [.init(host: "127.0.0.1", port: 0)], clientCertificate: files, adminCertificate: files)
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

  /// A version of a pack of that name, released on the production track; devices get it with the next publish.
  private func release(_ name: String, _ service: Service) throws -> VersionRecord {
    let store = service.store
    let bytes = try Packs.make(name)
    let app = try store.createApp(bundleID: TestDaemon.app, domainAllowList: ["localhost"], actor: .daemon)
    let pack = try store.createPack(app: app.id, identifier: name, actor: .daemon)
    let version = try store.createVersion(pack: pack.id, actor: .daemon)
    let upload = try store.reserveUpload(
      version: version.id, fileName: "\(name).aar", fileSize: Int64(bytes.count), actor: .daemon)
    let writer = try store.beginPart(upload: upload.id, number: 1)
    try bytes.withUnsafeBytes { try writer.write($0) }
    _ = try writer.finish()
    _ = try store.commitUpload(upload.id, sha256: Packs.hash(bytes), actor: .daemon)
    service.wakeProcessor()
    service.finishProcessing()
    let items = [ReleaseItem(name, number: version.number)]
    _ = try store.release(app: app.id, track: .production, packs: items, actor: .daemon)
    return try store.version(version.id)
  }

  @Test func aVersionWhoseFileWasMissingIsServedOnceItIsThere() throws {
    let folder = try TemporaryFolder()
    let time = Time()
    let service = try Service(try settings(folder), clock: time.clock)
    defer { service.stop() }
    let version = try release("level-1", service)
    let blob = service.store.blobs.path(ofBlob: try #require(version.sha256))
    try FileManager.default.moveItem(atPath: blob, toPath: folder.file("away"))
    service.publish()
    #expect(service.readings.snapshotFaults == 1)
    try FileManager.default.moveItem(atPath: folder.file("away"), toPath: blob)
    time.pass(301)
    service.running(reload: {}).look()
    #expect(service.readings.snapshotFaults == 0)
  }

  @Test func aStartPublishesTheRestByItself() throws {
    let folder = try TemporaryFolder()
    let service = try Service(try settings(folder))
    _ = try release("level-1", service)
    service.stop()
    let copies = folder.file("state/published")
    try FileManager.default.removeItem(atPath: copies)
    let again = try Service(try settings(folder))
    defer { again.stop() }
    #expect(wait { again.readings.publishes == 1 })
    #expect(wait { FileManager.default.fileExists(atPath: copies) })
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
