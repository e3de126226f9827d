import AdminAPI
import Delivery
import EventLoop
import HTTPCore
import HTTPServer
import Observability
import PackStore
import SystemIO
import TLS

/// What runs when the catalog cannot be read at start: devices get the last published manifests and the packs that they
/// name, byte for byte; the admin API says what is wrong. An empty manifest, or none, would do more harm than an old
/// one.
final class EmergencyService: Sendable {
  let log: Log
  private let server: HTTPServer
  private let parts = RunningParts()
  private let settings: ServiceSettings
  private let certificates: CertificateKeeper

  /// Throws `reason`, why the service itself could not start, when nothing was ever published.
  init(
    _ settings: ServiceSettings, reason: DaemonFailure, sockets: InheritedSockets
  ) throws(DaemonFailure) {
    log = Log(threshold: settings.logLevel)
    self.settings = settings
    certificates = try CertificateKeeper(
      settings.listenerFiles, loopCount: settings.loopCount, sealing: RecordSealingDecision(settings.sealRecords),
      log: log)
    guard let live = try? PublishedFallback.load(stateFolder: settings.stateDirectory),
      live.apps.contains(where: { !$0.manifests.isEmpty }),
      let blobs = try? BlobStore(folder: settings.stateDirectory)
    else { throw reason }
    let snapshot = SnapshotBuilder(blobs: blobs, development: settings.development).build(live, previous: nil)
    for fault in snapshot.faults { log.error(fault) }
    let answer = AdminAPI.unavailable(reason.sentence)
    do throws(SystemFailure) {
      let workers = try WorkerPool(name: "worker", threads: settings.workers, capacity: 1024)
      parts.add { workers.stop() }
      server = try HTTPServer(
        listeners: settings.listeners(
          certificates, sockets, client: { snapshot.respond($0) }, admin: { _ in .message(answer) }),
        loopCount: settings.loopCount, limits: settings.limits, workers: workers)
      parts.add { [server] in server.drain(graceSeconds: settings.drainGrace) }
    } catch {
      parts.stop()
      throw DaemonFailure(listening: error)
    }
    log.error(
      "Only the last published manifests and their packs are served, and nothing can be changed. \(reason.sentence)")
  }

  var handle: ServiceHandle {
    ServiceHandle(
      status: {
        self.certificates.problem.map { "CERTIFICATE: \($0) " } ?? ""
          + "Serving the last published manifests only: the catalog cannot be read"
      }, log: log,
      drainGrace: settings.drainGrace,
      isAlive: { self.server.isAlive },
      // A certificate must not run out meanwhile.
      reload: { self.certificates.reload(self.settings.listenerFiles, server: self.server) },
      look: {
        self.certificates.look(server: self.server)
        self.server.look()
      },
      stop: { self.parts.stop() })
  }
}
